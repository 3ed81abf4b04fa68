import { Select } from '@mantine/core';
import type { Link, Node } from '@meshwork/contract';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../../api/queries.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useFilters } from '../../../ui/filters.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { LINK_LOOKS } from '../../../ui/state.tsx';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import { LINK_COLUMNS } from './link-columns.tsx';

const STATES = Object.entries(LINK_LOOKS).map(([value, { word }]) => ({ value, label: word }));

/** The links of the node, each as both ends see it. */
export function NodeLinks({ node }: { readonly node: Node }) {
  const [{ links: wanted }, change] = useFilters(['links']);
  const state = Object.keys(LINK_LOOKS).find((one): one is Link['state'] => one === wanted);
  const navigate = useNavigate();
  const links = useList('peers.list', { query: { node: node.id, state } }, { keep: true });
  return (
    <Section
      title="Links"
      description="As reported by both ends."
      actions={
        <Select
          aria-label="Link state"
          placeholder="Any state"
          size="xs"
          w="9rem"
          clearable
          data={STATES}
          value={state ?? null}
          onChange={(value) => change({ links: value })}
        />
      }
    >
      {links.error !== null && <ProblemNotice error={links.error} onRetry={links.again} />}
      <VirtualTable<Link>
        label={`Links of ${node.name}`}
        rows={links.items}
        rowId={({ b }) => b.id}
        columns={LINK_COLUMNS}
        onOpen={({ a, b }) => void navigate({ to: '/links/$a/$b', params: { a: a.name, b: b.name } })}
        more={links.more}
        hasMore={links.hasMore}
        loading={links.isLoading}
        height="26rem"
        empty={
          <EmptyState icon={IconPlugConnectedX} title={state === undefined ? 'No peers' : 'No matching links'}>
            {state === undefined && 'Its peers are the nodes that the policy allows it to talk to.'}
          </EmptyState>
        }
      />
    </Section>
  );
}
