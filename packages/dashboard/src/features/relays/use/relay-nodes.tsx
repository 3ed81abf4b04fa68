import { SegmentedControl, Text } from '@mantine/core';
import type { Node, Relay } from '@meshwork/contract';
import { IconServer2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../../api/queries.ts';
import { NAT_WORDS, natOf } from '../../../mesh/nat-words.ts';
import { whyText } from '../../../mesh/why-text.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useFilters } from '../../../ui/filters.ts';
import { Ago } from '../../../ui/moment.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { msText } from '../../../ui/quantities.ts';
import { Section } from '../../../ui/section.tsx';
import { NodeState } from '../../../ui/state.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';

type Use = 'home' | 'standby';

/** Who uses the relay, how far away each of them is, and why it got this one. */
export function RelayNodes({ relay: { name, nodes, standbys } }: { readonly relay: Relay }) {
  const [filters, change] = useFilters(['use']);
  const use: Use = filters.use === 'standby' ? 'standby' : 'home';
  const query = use === 'home' ? { relay: name } : { standby_relay: name };
  const list = useList('nodes.list', { query }, { keep: true });
  const navigate = useNavigate();
  return (
    <Section
      title="Who uses it"
      description="And why each node has it."
      actions={
        <SegmentedControl
          aria-label="Use"
          size="xs"
          data={[
            { value: 'home', label: `Relay of ${nodes.toLocaleString()}` },
            { value: 'standby', label: `Standby of ${standbys.toLocaleString()}` },
          ]}
          value={use}
          onChange={(value) => change({ use: value === 'standby' ? value : null })}
        />
      }
    >
      {list.error !== null && <ProblemNotice error={list.error} onRetry={list.again} />}
      <VirtualTable<Node>
        label={use === 'home' ? `Nodes of ${name}` : `Nodes with ${name} as standby`}
        rows={list.items}
        rowId={({ id }) => id}
        columns={columnsOf(use)}
        onOpen={({ id }) => void navigate({ to: '/nodes/$id', params: { id } })}
        more={list.more}
        hasMore={list.hasMore}
        loading={list.isLoading}
        height="30rem"
        empty={
          <EmptyState
            icon={IconServer2}
            title={use === 'home' ? 'No node has it as its relay' : 'No node has it as its standby'}
          >
            {use === 'home'
              ? 'Nodes get the nearest relay with room that works.'
              : 'Nodes get the nearest other relay, at another site where there is one.'}
          </EmptyState>
        }
      />
    </Section>
  );
}

function columnsOf(use: Use): readonly Column<Node>[] {
  return [
    {
      id: 'name',
      header: 'Node',
      width: 'minmax(0, 1fr)',
      render: ({ id, name }) => (
        <AnchorLink to="/nodes/$id" params={{ id }} fw={500}>
          {name}
        </AnchorLink>
      ),
    },
    { id: 'state', header: 'State', width: '7.5rem', priority: 2, render: ({ state }) => <NodeState state={state} /> },
    {
      id: 'rtt',
      header: 'Round trip',
      width: '5rem',
      render: ({ relay_rtt_ms, standby_rtt_ms }) => {
        const rtt_ms = use === 'home' ? relay_rtt_ms : standby_rtt_ms;
        return rtt_ms === null ? 'Unknown' : msText(rtt_ms);
      },
    },
    { id: 'nat', header: 'NAT', width: 'minmax(0, 1fr)', priority: 2, render: (node) => NAT_WORDS[natOf(node)] },
    use === 'home'
      ? { id: 'why', header: 'Why', width: 'minmax(0, 1.8fr)', render: (node) => <Why node={node} /> }
      : {
          id: 'home',
          header: 'Its relay',
          width: 'minmax(0, 1fr)',
          render: ({ relay, relay_rtt_ms }) =>
            relay === null ? 'None' : `${relay}${relay_rtt_ms === null ? '' : `, ${msText(relay_rtt_ms)}`}`,
        },
  ];
}

function Why({ node: { relay_choice } }: { readonly node: Node }) {
  if (relay_choice === null) return 'Not recorded';
  return (
    <>
      {whyText(relay_choice.why)}
      <Text size="xs" c="dimmed">
        <Ago at={relay_choice.chosen_at} />
      </Text>
    </>
  );
}
