import { Button } from '@mantine/core';
import type { Node, NodeState } from '@meshwork/contract';
import { NODE_STATES } from '@meshwork/contract/vocabulary';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../api/queries.ts';
import { NAT_KINDS } from '../../mesh/nat-words.ts';
import { tagProblem } from '../../mesh/tag-problem.ts';
import { useMay } from '../../session/session.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { EnrolDialog } from './enrol/enrol-dialog.tsx';
import { NoNodes } from './no-nodes.tsx';
import { nodeColumns } from './node-columns.tsx';
import { NODE_FILTERS, NodeFilters } from './node-filters.tsx';

export default function NodesPage() {
  const [filters, change] = useFilters([...NODE_FILTERS, 'enrol']);
  const { q, tag, relay, standby_relay, service } = filters;
  const state = NODE_STATES.find((one): one is NodeState => one === filters.state);
  const nat = NAT_KINDS.find((one) => one === filters.nat);
  const soundTag = tag !== undefined && tagProblem([tag]) === null ? tag : undefined;
  const asked = { q, relay, standby_relay, nat, service, state, tag: soundTag };
  const nodes = useList('nodes.list', { query: asked }, { keep: true });
  const may = useMay();
  const navigate = useNavigate();
  const mayEnrol = may('nodes:enroll') && may('tokens:create');
  const isFiltered = NODE_FILTERS.some((name) => filters[name] !== undefined);
  return (
    <Page
      title="Nodes"
      subtitle={nodes.isLoading ? undefined : countWords(nodes.items.length, nodes.hasMore)}
      actions={
        mayEnrol && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => change({ enrol: 'yes' })}>
            Enrol a node
          </Button>
        )
      }
    >
      <NodeFilters filters={filters} change={change} />
      {nodes.error !== null && <ProblemNotice error={nodes.error} onRetry={nodes.again} />}
      <VirtualTable<Node>
        label="Nodes"
        rows={nodes.items}
        rowId={({ id }) => id}
        columns={nodeColumns((tag) => change({ tag }))}
        onOpen={({ id }) => void navigate({ to: '/nodes/$id', params: { id } })}
        more={nodes.more}
        hasMore={nodes.hasMore}
        loading={nodes.isLoading}
        empty={<NoNodes isFiltered={isFiltered} clear={() => change(NOTHING)} />}
      />
      {mayEnrol && <EnrolDialog opened={filters.enrol === 'yes'} onClose={() => change({ enrol: null })} />}
    </Page>
  );
}

const NOTHING = Object.fromEntries(NODE_FILTERS.map((name) => [name, null]));

function countWords(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count.toLocaleString()} nodes`;
  return count === 1 ? '1 node' : `${count.toLocaleString()} nodes`;
}
