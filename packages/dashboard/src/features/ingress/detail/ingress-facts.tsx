import type { Ingress } from '@meshwork/contract';
import { ScopeText } from '../../../mesh/scope-text.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import { addressOf, connectionsOf, targetWords, tlsWords } from '../ingress-words.ts';

export function IngressFacts({ ingress }: { readonly ingress: Ingress }) {
  const { id, tls, gateways, replicas, scope, created_at } = ingress;
  return (
    <Section title="Details">
      <Facts
        items={[
          { label: 'Address', value: <Copyable value={addressOf(ingress)} />, help: 'What people outside enter.' },
          { label: 'TLS', value: tlsWords(tls), help: 'Between clients and gateways.' },
          {
            label: 'Gateways',
            value: `${replicas} of ${gateways.join(', ')}`,
            help: 'How many gateways serve it at once, and which nodes may be one.',
          },
          {
            label: 'Targets',
            value: targetWords(ingress),
            help: 'Nodes that it leads to. One is up when a gateway found that it answers.',
          },
          {
            label: 'Connections',
            value: connectionsOf(ingress)?.toLocaleString() ?? 'Not reported',
            help: 'Open ones on all gateways, as of their last heartbeat.',
          },
          {
            label: 'Scope',
            value: <ScopeText scope={scope} />,
            help: 'It leads only to nodes inside of it.',
          },
          { label: 'Created', value: <Moment at={created_at} /> },
          { label: 'ID', value: <Copyable value={id} /> },
        ]}
      />
    </Section>
  );
}
