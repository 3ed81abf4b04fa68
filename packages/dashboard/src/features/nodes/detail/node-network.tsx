import { Text } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { NAT_MEANINGS, NAT_WORDS, natOf } from '../../../mesh/nat-words.ts';
import { RelayLink } from '../../../mesh/relay-link.tsx';
import { whyText } from '../../../mesh/why-text.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { msText } from '../../../ui/quantities.ts';
import { Section } from '../../../ui/section.tsx';
import classes from './node-detail.module.css';

/** How peers reach the node: directly, and through which relays. */
export function NodeNetwork({ node }: { readonly node: Node }) {
  const { endpoints, seen_from, relay, relay_rtt_ms, standby_relay, standby_rtt_ms, relayed } = node;
  const nat = natOf(node);
  return (
    <Section title="Network">
      <Facts
        items={[
          {
            label: 'NAT',
            value: (
              <>
                {NAT_WORDS[nat]}
                <Text size="xs" c="dimmed">
                  {NAT_MEANINGS[nat]}
                </Text>
              </>
            ),
            help: 'What stands between its host and the internet.',
          },
          {
            label: 'Endpoints',
            value: endpoints.length === 0 ? 'None: reachable through its relay only' : <Lines lines={endpoints} />,
            help: 'Addresses for direct connections, best first.',
          },
          { label: 'Seen from', value: seen_from ?? 'Unknown', help: 'Source address of its last heartbeat.' },
          {
            label: 'Relay',
            value: (
              <>
                <RelayAt name={relay} rtt_ms={relay_rtt_ms} /> {pinWords(node)}
                <Why node={node} />
              </>
            ),
          },
          {
            label: 'Standby relay',
            value: <RelayAt name={standby_relay} rtt_ms={standby_rtt_ms} />,
            help: 'Takes over when its relay is lost.',
          },
          ...(relayed === null || relayed.length === 0
            ? []
            : [
                {
                  label: 'Receives at',
                  value: <Lines lines={relayed.map((place) => `${place.endpoint} (${place.relay})`)} />,
                  help: 'Where relays receive for it.',
                },
              ]),
        ]}
      />
    </Section>
  );
}

function RelayAt({ name, rtt_ms }: { readonly name: string | null; readonly rtt_ms: number | null }) {
  if (name === null) return 'None';
  return (
    <>
      <RelayLink name={name} />
      {rtt_ms !== null && `, ${msText(rtt_ms)}`}
    </>
  );
}

function pinWords({ relay, pinned_relay }: Node): string {
  if (pinned_relay === null) return relay === null ? '' : '(automatic)';
  return relay === pinned_relay ? '(pinned)' : `(pinned to ${pinned_relay}, which does not work)`;
}

function Why({ node: { relay_choice } }: { readonly node: Node }) {
  if (relay_choice === null) return null;
  return (
    <Text size="xs" c="dimmed">
      {whyText(relay_choice.why)}, <Ago at={relay_choice.chosen_at} />
    </Text>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={classes.lines}>
      {lines.map((line) => (
        <li key={line} className={classes.mono}>
          {line}
        </li>
      ))}
    </ul>
  );
}
