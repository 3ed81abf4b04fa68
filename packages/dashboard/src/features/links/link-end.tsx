import { Group, Text } from '@mantine/core';
import type { LinkOverTime, LinkViewOverTime } from '@meshwork/contract';
import { type Icon, IconCircleCheck, IconCircleX, IconRouteOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PATH_WORDS } from '../../mesh/link-paths.ts';
import { RelayLink } from '../../mesh/relay-link.tsx';
import { span } from '../../ui/ago.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Ago } from '../../ui/moment.tsx';
import { bytesText, msText } from '../../ui/quantities.ts';
import { Section } from '../../ui/section.tsx';
import { NodeState } from '../../ui/state.tsx';
import classes from './links.module.css';
import { TRANSPORT_WORDS } from './way-words.ts';

type End = LinkOverTime['a'];
type Tried = LinkViewOverTime['tried'][number];

interface LinkEndProps {
  readonly end: End;
  readonly other: End;
  /** Null: it reports nothing of the link. */
  readonly view: LinkViewOverTime | null;
}

/** What one end reports of the link. */
export function LinkEnd({ end, other, view }: LinkEndProps) {
  return (
    <Section
      title={`From ${end.name}`}
      description={
        <Group gap="xs" mt={4}>
          <NodeState state={end.state} />
          <AnchorLink to="/nodes/$id" params={{ id: end.id }}>
            Open node
          </AnchorLink>
        </Group>
      }
    >
      {view === null ? (
        <Text size="sm" c="dimmed">
          Not reported.
        </Text>
      ) : (
        <>
          <Facts items={factsOf(view, other)} />
          <TriedEndpoints tried={view.tried} other={other} />
        </>
      )}
    </Section>
  );
}

function factsOf(view: LinkViewOverTime, other: End): readonly { label: string; value: ReactNode; help?: string }[] {
  const { path, endpoint, relay, via, why, rtt_ms, handshake_age_s, rx_bytes, tx_bytes, observed_at } = view;
  const isRelayed = path === 'relay';
  return [
    { label: 'Path', value: PATH_WORDS[path] },
    ...(via === null
      ? []
      : [
          {
            label: 'Leaves through',
            value: (
              <>
                <RelayName name={via.relay} /> over {TRANSPORT_WORDS[via.transport]}
              </>
            ),
            help: 'Its own relay.',
          },
        ]),
    ...(isRelayed || relay !== null
      ? [{ label: `Relay of ${other.name}`, value: <RelayName name={relay} />, help: 'Where its packets go.' }]
      : []),
    { label: 'Endpoint', value: endpoint === null ? 'None' : <span className={classes.mono}>{endpoint}</span> },
    ...(why === null ? [] : [{ label: 'It says', value: why }]),
    { label: 'Round trip', value: rtt_ms === null ? 'Unknown' : msText(rtt_ms) },
    { label: 'Handshake', value: handshake_age_s === null ? 'None yet' : `${span(handshake_age_s)} ago` },
    { label: 'Traffic', value: `${bytesText(rx_bytes)} in, ${bytesText(tx_bytes)} out` },
    { label: 'Reported', value: <Ago at={observed_at} /> },
  ];
}

function RelayName({ name }: { readonly name: string | null }) {
  return name === null ? 'A relay that you may not see' : <RelayLink name={name} />;
}

const OUTCOMES: Readonly<Record<Tried['outcome'], { tone: Tone; icon: Icon; word: string }>> = {
  answered: { tone: 'good', icon: IconCircleCheck, word: 'Answered' },
  silent: { tone: 'bad', icon: IconCircleX, word: 'No answer' },
  unreachable: { tone: 'off', icon: IconRouteOff, word: 'No route' },
};

function TriedEndpoints({ tried, other }: { readonly tried: readonly Tried[]; readonly other: End }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        Endpoints of {other.name} that it last tried
      </Text>
      {tried.length === 0 ? (
        <Text size="sm">None.</Text>
      ) : (
        <ul className={classes.tried}>
          {tried.map(({ endpoint, outcome, rtt_ms }) => (
            <li key={endpoint} className={classes.one}>
              <span className={classes.mono}>{endpoint}</span>
              <Badge {...OUTCOMES[outcome]} />
              {rtt_ms !== undefined && <span>{msText(rtt_ms)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
