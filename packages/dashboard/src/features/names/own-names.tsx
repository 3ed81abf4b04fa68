import { Text } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { IconServer2 } from '@tabler/icons-react';
import { useList } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { withoutPrefix } from '../../ui/quantities.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import { MonoLines } from './mono-lines.tsx';
import classes from './names.module.css';

interface OwnNamesProps {
  readonly q: string;
  readonly onSearch: (q: string) => void;
}

const COLUMNS: readonly Column<Node>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1.2fr)',
    render: ({ id, name }) => (
      <AnchorLink to="/nodes/$id" params={{ id }} className={classes.mono}>
        {name}.mesh
      </AnchorLink>
    ),
  },
  {
    id: 'addresses',
    header: 'Addresses',
    width: 'minmax(0, 1.6fr)',
    render: ({ address, address6 }) => <MonoLines lines={[withoutPrefix(address), withoutPrefix(address6)]} />,
  },
  {
    id: 'services',
    header: 'Services',
    width: 'minmax(0, 2fr)',
    priority: 2,
    render: ({ service_bindings }) =>
      service_bindings.length === 0 ? (
        'None'
      ) : (
        <MonoLines
          lines={service_bindings.map(
            ({ name, protocol, port, health }) =>
              `${name}.svc.mesh ${protocol}:${port}${health === 'failing' ? ' (failing, left out)' : ''}`,
          )}
        />
      ),
  },
];

/** The names that nodes and services have by themselves. */
export function OwnNames({ q, onSearch }: OwnNamesProps) {
  const nodes = useList('nodes.list', { query: q === '' ? {} : { q } }, { keep: true });
  return (
    <>
      <Text size="sm" c="dimmed" maw="52rem">
        A node resolves the names of the nodes that the policy lets it talk with. A service is{' '}
        <code>NAME.svc.mesh</code> on all its nodes, and <code>_NAME._tcp.mesh</code> with ports (SRV). Addresses
        resolve back to names (PTR).
      </Text>
      <search aria-label="Filter nodes" className={classes.filters}>
        <SearchInput label="Name or address" value={q} onChange={onSearch} />
      </search>
      {nodes.error !== null && <ProblemNotice error={nodes.error} onRetry={nodes.again} />}
      <VirtualTable<Node>
        label="Names of nodes and services"
        rows={nodes.items}
        rowId={({ id }) => id}
        columns={COLUMNS}
        more={nodes.more}
        hasMore={nodes.hasMore}
        loading={nodes.isLoading}
        height="30rem"
        empty={<EmptyState icon={IconServer2} title={q === '' ? 'No nodes yet' : 'No matching nodes'} />}
      />
    </>
  );
}
