import { ActionIcon, Button, Select } from '@mantine/core';
import type { DnsRecord } from '@meshwork/contract';
import { IconAddressBook, IconFilterOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useList } from '../../../api/queries.ts';
import { ScopeText } from '../../../mesh/scope-text.tsx';
import { Actor } from '../../../ui/actor.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { SearchInput } from '../../../ui/search-input.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import { MonoLines } from '../mono-lines.tsx';
import classes from '../names.module.css';
import { KIND_WORDS, matches, RECORD_KINDS } from './matches.ts';

type Filter = 'q' | 'kind';

interface RecordTableProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
  /** Null: the person may not change records. */
  readonly onEdit: ((record: DnsRecord) => void) | null;
  readonly create: ReactNode;
}

const KINDS = RECORD_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }));

export function RecordTable({ filters, change, onEdit, create }: RecordTableProps) {
  const { q = '', kind } = filters;
  const records = useRecords();
  const remove = useRemove();
  const shown = records.items.filter((record) => matches(record, q, kind));
  const isFiltered = q !== '' || kind !== undefined;
  return (
    <>
      <search aria-label="Filter records" className={classes.filters}>
        <SearchInput label="Name, address or note" value={q} onChange={(text) => change({ q: text })} />
        <Select
          aria-label="Kind"
          placeholder="Any kind"
          clearable
          data={KINDS}
          value={kind ?? null}
          onChange={(value) => change({ kind: value })}
        />
      </search>
      {records.error !== null && <ProblemNotice error={records.error} onRetry={records.again} />}
      <VirtualTable<DnsRecord>
        label="DNS records"
        rows={shown}
        rowId={({ id }) => id}
        columns={onEdit === null ? COLUMNS : [...COLUMNS, actionsColumn(onEdit, remove)]}
        {...(onEdit === null ? {} : { onOpen: onEdit })}
        loading={records.isLoading}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconFilterOff}
              title="No matching records"
              action={
                <Button variant="default" onClick={() => change({ q: null, kind: null })}>
                  Clear filters
                </Button>
              }
            />
          ) : (
            <EmptyState icon={IconAddressBook} title="No records yet" action={create}>
              Nodes and services have names by themselves. A record adds others: wiki.mesh for some addresses or as an
              alias, and *.apps.mesh for every name below it.
            </EmptyState>
          )
        }
      />
    </>
  );
}

/** All of them: the filter is applied here. */
function useRecords() {
  const records = useList('dns.list');
  const { hasMore, isLoadingMore, error, more } = records;
  useEffect(() => {
    if (hasMore && !isLoadingMore && error === null) more();
  }, [hasMore, isLoadingMore, error, more]);
  return records;
}

function useRemove(): (record: DnsRecord) => void {
  const confirm = useConfirm();
  const { run } = useAction('dns.delete', { touches: ['audit'], done: 'Record deleted' });
  const settle = async ({ id, fqdn, revision }: DnsRecord) => {
    const consequence = `Nodes no longer resolve ${fqdn} within seconds. Its name becomes free for nodes and other records.`;
    if (!(await confirm({ title: `Delete ${fqdn}`, consequence, action: 'Delete', danger: true }))) return;
    await run({ params: { id }, if_match: `"${revision}"` });
  };
  return (record) => void settle(record).catch(() => undefined /* shown by the action */);
}

const COLUMNS: readonly Column<DnsRecord>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1.3fr)',
    render: ({ fqdn }) => <span className={classes.mono}>{fqdn}</span>,
  },
  {
    id: 'target',
    header: 'Leads to',
    width: 'minmax(0, 1.4fr)',
    render: ({ addresses, cname }) => <MonoLines lines={cname === null ? addresses : [cname]} />,
  },
  {
    id: 'scope',
    header: 'Resolved by',
    width: 'minmax(0, 1.3fr)',
    priority: 2,
    render: ({ scope }) => <ScopeText scope={scope} />,
  },
  { id: 'note', header: 'Note', width: 'minmax(0, 1.3fr)', priority: 3, render: ({ note }) => note ?? '' },
  {
    id: 'by',
    header: 'Created by',
    width: 'minmax(0, 1fr)',
    priority: 3,
    render: ({ created_by }) => <Actor actor={created_by} />,
  },
];

function actionsColumn(onEdit: (record: DnsRecord) => void, onRemove: (record: DnsRecord) => void): Column<DnsRecord> {
  return {
    id: 'actions',
    header: 'Actions',
    width: '4.5rem',
    render: (record) => (
      <div className={classes.row}>
        <ActionIcon variant="subtle" color="gray" aria-label={`Edit ${record.fqdn}`} onClick={() => onEdit(record)}>
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${record.fqdn}`} onClick={() => onRemove(record)}>
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </div>
    ),
  };
}
