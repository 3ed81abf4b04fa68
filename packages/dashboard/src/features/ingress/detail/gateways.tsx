import { Text } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { NodeLink } from '../../../mesh/node-link.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { plural } from '../../../ui/plural.ts';
import { Section } from '../../../ui/section.tsx';
import { IngressState, UpstreamState } from '../../../ui/state.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from '../ingress.module.css';
import { type Gateway, leadsToService } from '../ingress-words.ts';

type Serving = Ingress['served_by'][number];
type Found = NonNullable<Serving['upstreams']>[number];

/** Each gateway: whether it serves the ingress, and what it found of the nodes that it sends requests to. */
export function Gateways({ ingress }: { readonly ingress: Ingress }) {
  const { assigned_to, served_by, replicas, targets } = ingress;
  const named = new Map(targets.map(({ node, name }) => [node, name]));
  return (
    <Section title="Gateways" description={`${served_by.length} of ${replicas} serving, as their heartbeats prove.`}>
      {assigned_to.length === 0 ? (
        <Text size="sm" c="dimmed">
          No gateway is chosen.
        </Text>
      ) : (
        <div>
          {assigned_to.toSorted(byName).map((gateway) => (
            <OneGateway
              key={gateway.node}
              gateway={gateway}
              serving={served_by.find(({ node }) => node === gateway.node)}
              named={named}
              leads={leadsToService(ingress)}
            />
          ))}
        </div>
      )}
    </Section>
  );
}

function byName(one: Gateway, other: Gateway): number {
  return one.name.localeCompare(other.name);
}

interface OneGatewayProps {
  readonly gateway: Gateway;
  readonly serving: Serving | undefined;
  readonly named: ReadonlyMap<string, string>;
  /** False: there is no node that it could send anything to. */
  readonly leads: boolean;
}

function OneGateway({ gateway, serving, named, leads }: OneGatewayProps) {
  const { name, problem, draining, drain } = gateway;
  return (
    <div className={classes.gateway}>
      <div className={classes.head}>
        <Text span fw={500}>
          <NodeLink id={gateway.node} />
        </Text>
        <IngressState state={problem === null ? 'serving' : 'assigned'} />
        {draining && <IngressState state="draining" />}
        {serving !== undefined && (
          <Text span size="sm" c="dimmed">
            {serving.connections === null ? 'Connections not reported' : plural(serving.connections, 'connection')}
          </Text>
        )}
      </div>
      {problem !== null && <Text size="sm">{problem}</Text>}
      {drain !== null && drain.problem !== null && <Text size="sm">{drain.problem}</Text>}
      {drain !== null && drain.cut > 0 && (
        <Text size="sm">{plural(drain.cut, 'connection')} cut at the deadline of the drain</Text>
      )}
      {serving !== undefined &&
        leads &&
        (serving.upstreams === null ? (
          <Text size="sm" c="dimmed">
            It has not reported what it found of its upstreams.
          </Text>
        ) : (
          <VirtualTable<Found>
            label={`Upstreams of ${name}`}
            rows={serving.upstreams}
            rowId={({ service, node }) => `${service} ${node}`}
            columns={columnsOf(named)}
            height="24rem"
            empty={
              <Text size="sm" c="dimmed" p="sm">
                It has no node to send traffic to.
              </Text>
            }
          />
        ))}
    </div>
  );
}

function columnsOf(named: ReadonlyMap<string, string>): readonly Column<Found>[] {
  return [
    {
      id: 'node',
      header: 'Node',
      width: 'minmax(0, 1.2fr)',
      render: ({ node, service }) => (
        <>
          {named.get(node) ?? <NodeLink id={node} />}
          <span className={classes.below}>{service}</span>
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: 'minmax(0, 2.4fr)',
      render: ({ state, why }) => (
        <>
          <UpstreamState state={state} />
          {why !== null && <span className={classes.below}>{why}</span>}
        </>
      ),
    },
    { id: 'since', header: 'Since', width: '5.5rem', render: ({ since }) => <Ago at={since} /> },
  ];
}
