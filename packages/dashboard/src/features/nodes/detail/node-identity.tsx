import type { Node } from '@meshwork/contract';
import { useMay } from '../../../session/session.tsx';
import { Actor } from '../../../ui/actor.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { withoutPrefix } from '../../../ui/quantities.ts';
import { Section } from '../../../ui/section.tsx';
import { Tags } from '../../../ui/tags.tsx';
import { LastHeartbeat } from './last-heartbeat.tsx';

/** The identity of the node: what was assigned to it and what it reports. */
export function NodeIdentity({ node }: { readonly node: Node }) {
  const mayReadCertificates = useMay()('ca:read');
  return (
    <Section title="Identity">
      <Facts
        items={[
          { label: 'ID', value: <Copyable value={node.id} /> },
          { label: 'Address', value: <Copyable value={withoutPrefix(node.address)} /> },
          { label: 'IPv6 address', value: <Copyable value={withoutPrefix(node.address6)} /> },
          { label: 'Tags', value: <Tags tags={node.tags} /> },
          { label: 'Heartbeat', value: <LastHeartbeat node={node} />, help: 'On time: no heartbeat is overdue.' },
          {
            label: 'Identity key',
            value: <Copyable value={node.identity_key} />,
            help: 'Ed25519. The private key never leaves the node.',
          },
          { label: 'WireGuard key', value: <Copyable value={node.wireguard_key} /> },
          ...(mayReadCertificates ? [{ label: 'Certificates', value: <Certificates node={node} /> }] : []),
          { label: 'Agent', value: node.agent_version ?? 'Not reported' },
          {
            label: 'Engines',
            value: enginesOf(node),
            help: 'Programs that its agent uses, with versions.',
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

function Certificates({ node }: { readonly node: Node }) {
  return (
    <AnchorLink to="/certificates" search={{ node: node.state === 'removed' ? node.id : node.name }}>
      View certificates
    </AnchorLink>
  );
}

function clockWords(skew_s: number | null): string {
  if (skew_s === null) return 'Unknown';
  if (Math.abs(skew_s) < 1) return 'In sync';
  return `${Math.abs(skew_s).toFixed(1)} s ${skew_s > 0 ? 'ahead' : 'behind'}`;
}

function enginesOf({ abilities }: Node): string {
  const engines = Object.entries(abilities?.engines ?? {});
  return engines.length === 0 ? 'Not reported' : engines.map(([name, version]) => `${name} ${version}`).join(', ');
}
