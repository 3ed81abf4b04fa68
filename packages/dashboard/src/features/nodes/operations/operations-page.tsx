import { Group, Select } from '@mantine/core';
import type { NodeOperation } from '@meshwork/contract';
import { NODE_OPERATION_KINDS, NODE_OPERATION_STATES } from '@meshwork/contract/vocabulary';
import { IconListCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useFilters } from '../../../ui/filters.ts';
import { Page } from '../../../ui/page.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { OPERATION_LOOKS } from '../../../ui/state.tsx';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import { OPERATION_COLUMNS } from './operation-columns.tsx';
import { KIND_WORDS } from './operation-words.ts';
import { OPEN, useOperations } from './use-operations.ts';

const STATES = [
  { value: OPEN, label: 'In progress' },
  ...NODE_OPERATION_STATES.map((value) => ({ value, label: OPERATION_LOOKS[value].word })),
];
const KINDS = NODE_OPERATION_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));

/** Everything that was asked of nodes, whichever. */
export default function OperationsPage() {
  const [filters, change] = useFilters(['state', 'kind']);
  const state = filters.state === OPEN ? OPEN : NODE_OPERATION_STATES.find((one) => one === filters.state);
  const kind = NODE_OPERATION_KINDS.find((one) => one === filters.kind);
  const operations = useOperations(state, kind);
  const navigate = useNavigate();
  return (
    <Page
      title="Operations"
      back={{ to: '/nodes', label: 'Nodes' }}
      subtitle="Requested changes to nodes, oldest first."
    >
      <Group gap="xs">
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          data={STATES}
          value={state ?? null}
          onChange={(value) => change({ state: value })}
        />
        <Select
          aria-label="Kind"
          placeholder="Any kind"
          clearable
          data={KINDS}
          value={kind ?? null}
          onChange={(value) => change({ kind: value })}
        />
      </Group>
      {operations.error !== null && <ProblemNotice error={operations.error} onRetry={operations.again} />}
      <VirtualTable<NodeOperation>
        label="Operations"
        rows={operations.items}
        rowId={({ id }) => id}
        columns={OPERATION_COLUMNS}
        onOpen={({ id }) => void navigate({ to: '/nodes/operations/$id', params: { id } })}
        more={operations.more}
        hasMore={operations.hasMore}
        loading={operations.isLoading}
        empty={
          <EmptyState icon={IconListCheck} title="No operations">
            Operations on nodes appear here and are kept as long as the settings say.
          </EmptyState>
        }
      />
    </Page>
  );
}
