import { Text } from '@mantine/core';
import type { Relay } from '@meshwork/contract';
import { NodeLink } from '../../mesh/node-link.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { bytesText } from '../../ui/quantities.ts';
import { Section } from '../../ui/section.tsx';

export function RelayFacts({ relay }: { readonly relay: Relay }) {
  const { node, host, port, tls_port, certificate, site, capacity, nodes, standbys, created_at } = relay;
  return (
    <Section title="Details">
      <Facts
        items={[
          { label: 'Runs on', value: node === null ? 'A TURN server outside of the mesh' : <NodeLink id={node} /> },
          { label: 'Address', value: <Copyable value={`${host}:${port}`} />, help: 'By UDP and TCP.' },
          {
            label: 'TLS',
            value:
              tls_port === null
                ? 'Off'
                : `Port ${tls_port}, certificate ${certificate === 'mesh' ? 'by the mesh CA' : `for ${host}`}`,
            help: 'For nodes in networks that block all else.',
          },
          {
            label: 'Site',
            value: site ?? 'Not set',
            help: 'Nodes have a standby at another site where there is one.',
          },
          {
            label: 'Nodes',
            value: `${nodes.toLocaleString()} of ${capacity.toLocaleString()}`,
            help: 'Nodes that have it as their relay. An operator can pin more nodes to it.',
          },
          {
            label: 'Standby for',
            value: standbys.toLocaleString(),
            help: 'Takes over when the relay of a node is lost.',
          },
          { label: 'Created', value: <Moment at={created_at} /> },
        ]}
      />
    </Section>
  );
}

interface RelayLoadProps {
  readonly load: Relay['load'];
  readonly kind: Relay['kind'];
}

export function RelayLoadFacts({ load, kind }: RelayLoadProps) {
  return (
    <Section title="Load" description="Allocations now, all else since its agent started.">
      {load === null ? (
        <Text size="sm" c="dimmed">
          {kind === 'external' ? 'External relays report no load.' : 'Its node has not reported yet.'}
        </Text>
      ) : (
        <Facts
          items={[
            {
              label: 'Allocations',
              value: load.allocations.toLocaleString(),
              help: 'Places at which it receives for a node.',
            },
            { label: 'Made so far', value: load.sessions.toLocaleString() },
            { label: 'Received', value: traffic(load.rx_bytes, load.rx_packets) },
            { label: 'Sent', value: traffic(load.tx_bytes, load.tx_packets) },
            { label: 'Wrong credentials', value: load.refused.toLocaleString(), help: 'Requests that it refused.' },
            {
              label: 'Denied addresses',
              value: load.denied.toLocaleString(),
              help: 'Requests to send to an address that is no relay.',
            },
            {
              label: 'Over quota',
              value: load.over_quota.toLocaleString(),
              help: 'Allocations that it did not make, because the node or the relay had as many as it may have.',
            },
          ]}
        />
      )}
    </Section>
  );
}

function traffic(bytes: number, packets: number): string {
  return `${bytesText(bytes)} in ${packets.toLocaleString()} packets`;
}
