import { Autocomplete, Select } from '@mantine/core';
import type { AuditEntry } from '@meshwork/contract';
import { ACTIONS } from './actions-known.ts';
import classes from './audit-filters.module.css';
import { IdFilter } from './id-filter.tsx';
import { TimeFilter } from './time-filter.tsx';
import { useSettled } from './use-settled.ts';

export const AUDIT_FILTERS = ['action', 'outcome', 'actor', 'token', 'target', 'from', 'to'] as const;
type Filter = (typeof AUDIT_FILTERS)[number];

interface AuditFiltersProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
  /** What was found, to say whose id it is that the list is filtered by. */
  readonly entries: readonly AuditEntry[];
}

const OUTCOMES = [
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
];

export function AuditFilters({ filters, change, entries }: AuditFiltersProps) {
  const [action, setAction] = useSettled(filters.action ?? '', (text) => change({ action: text.trim() }));
  const actor = entries.find((entry) => entry.actor.id === filters.actor)?.actor;
  return (
    <search className={classes.filters} aria-label="Filter the trail">
      <Autocomplete
        aria-label="Action"
        placeholder="Any action"
        data={ACTIONS}
        limit={30}
        clearable
        value={action}
        onChange={setAction}
      />
      <Select
        aria-label="Outcome"
        placeholder="Any outcome"
        clearable
        data={OUTCOMES}
        value={filters.outcome ?? null}
        onChange={(outcome) => change({ outcome })}
      />
      <IdFilter
        label="Actor id"
        value={filters.actor ?? ''}
        {...(actor === undefined ? {} : { name: actor.name })}
        onChange={(id) => change({ actor: id })}
      />
      <IdFilter label="Token id" value={filters.token ?? ''} onChange={(id) => change({ token: id })} />
      <IdFilter label="Target id" value={filters.target ?? ''} onChange={(id) => change({ target: id })} />
      <TimeFilter from={filters.from} to={filters.to} change={change} />
    </search>
  );
}
