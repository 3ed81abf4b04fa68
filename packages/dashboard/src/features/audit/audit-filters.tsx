import { Autocomplete, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { AuditEntry } from '@meshwork/contract';
import { WIRE_OPERATIONS } from '@meshwork/contract/wire';
import { useMemo, useState } from 'react';
import type { Feature } from '../../feature/feature.ts';
import { useFeatures } from '../../feature/feature-list.ts';
import { TimeFilter } from '../../ui/time-filter.tsx';
import classes from './audit-filters.module.css';
import { IdFilter } from './id-filter.tsx';

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
  const features = useFeatures();
  const actions = useMemo(() => actionsOf(features), [features]);
  const [action, setAction] = useSettled(filters.action ?? '', (text) => change({ action: text.trim() }));
  const actor = entries.find((entry) => entry.actor.id === filters.actor)?.actor;
  return (
    <search className={classes.filters} aria-label="Filter the trail">
      <Autocomplete
        aria-label="Action"
        placeholder="Any action"
        data={actions}
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
        label="Actor ID"
        value={filters.actor ?? ''}
        {...(actor === undefined ? {} : { name: actor.name })}
        onChange={(id) => change({ actor: id })}
      />
      <IdFilter label="Token ID" value={filters.token ?? ''} onChange={(id) => change({ token: id })} />
      <IdFilter label="Target ID" value={filters.target ?? ''} onChange={(id) => change({ target: id })} />
      <TimeFilter from={filters.from} to={filters.to} change={change} />
    </search>
  );
}

/** Reads are in the trail only when they were refused, so they stand last. Other actions can be typed: an older version may have had them. */
function actionsOf(features: readonly Feature[]): readonly string[] {
  const operations = Object.entries(WIRE_OPERATIONS);
  const changes = operations.filter(([, { method }]) => method !== 'GET').map(([id]) => id);
  const reads = operations.filter(([, { method }]) => method === 'GET').map(([id]) => id);
  return [...changes, ...features.flatMap(({ audit }) => audit?.actions ?? []).sort(), ...reads];
}

const PAUSE_MS = 300;

/** A text field that reports its value when typing pauses, and follows changes from outside. */
function useSettled(value: string, tell: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const tellLater = useDebouncedCallback((text: string) => {
    setKnown(text.trim());
    tell(text);
  }, PAUSE_MS);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const change = (text: string) => {
    setTyped(text);
    tellLater(text);
  };
  return [typed, change];
}
