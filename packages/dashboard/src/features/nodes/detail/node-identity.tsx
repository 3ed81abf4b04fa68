import type { Node } from '@meshwork/contract';
import { Actor } from '../../../ui/actor.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { Tags } from '../../../ui/tags.tsx';
import { Heard } from '../heard.tsx';
import { withoutPrefix } from '../node-columns.tsx';
import classes from './node-detail.module.css';

/** Who the node is: what was decided about it and what it says of itself. */
export function NodeIdentity({ node }: { readonly node: Node }) {
  return (
    <Section title="Identity">
      <Facts
        items={[
          { label: 'Id', value: <Copyable value={node.id} /> },
          { label: 'Address', value: <Copyable value={withoutPrefix(node.address)} /> },
          { label: 'IPv6 address', value: <Copyable value={withoutPrefix(node.address6)} /> },
          { label: 'Tags', value: <Tags tags={node.tags} /> },
          { label: 'Heartbeat', value: <Heard node={node} />, help: 'On time: none is overdue.' },
          {
            label: 'Endpoints',
            value: node.endpoints.length === 0 ? 'None: only by way of its relay' : <Endpoints node={node} />,
            help: 'Where peers can reach it directly, best first.',
          },
          { label: 'Seen from', value: node.seen_from ?? 'Not known', help: 'Where its last heartbeat came from.' },
          { label: 'Relay', value: relayWords(node) },
          {
            label: 'Identity key',
            value: <Copyable value={node.identity_key} />,
            help: 'Ed25519. The node proves itself with the private half, which never leaves it.',
          },
          { label: 'WireGuard key', value: <Copyable value={node.wireguard_key} /> },
          { label: 'Agent', value: node.agent_version ?? 'Has not said' },
          {
            label: 'Engines',
            value: enginesOf(node),
            help: 'What its agent drives, with versions.',
          },
          { label: 'Clock', value: clockWords(node.clock_skew_s) },
          {
            label: 'Enrolled',
            value: (
              <>
                <Moment at={node.created_at} /> by <Actor actor={node.created_by} />
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Endpoints({ node }: { readonly node: Node }) {
  return (
    <ul className={classes.lines}>
      {node.endpoints.map((endpoint) => (
        <li key={endpoint} className={classes.mono}>
          {endpoint}
        </li>
      ))}
    </ul>
  );
}

function relayWords({ relay, pinned_relay }: Node): string {
  if (pinned_relay === null) return relay === null ? 'None' : `${relay}, chosen by the coordinator`;
  return relay === pinned_relay ? `${relay}, chosen by somebody` : `${relay ?? 'None'}; ${pinned_relay} was chosen`;
}

function clockWords(skew_s: number | null): string {
  if (skew_s === null) return 'Not known';
  if (Math.abs(skew_s) < 1) return 'Right';
  return `${Math.abs(skew_s).toFixed(1)} s ${skew_s > 0 ? 'ahead' : 'behind'}`;
}

function enginesOf({ abilities }: Node): string {
  const engines = Object.entries(abilities?.engines ?? {});
  return engines.length === 0 ? 'Has not said' : engines.map(([name, version]) => `${name} ${version}`).join(', ');
}
