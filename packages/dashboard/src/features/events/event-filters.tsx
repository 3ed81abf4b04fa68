import { Select } from '@mantine/core';
import type { EventRecord } from '@meshwork/contract';
import { SearchInput } from '../../ui/search-input.tsx';
import classes from './event-filters.module.css';

export const EVENT_FILTERS = ['q', 'type'] as const;
type Filter = (typeof EVENT_FILTERS)[number];

interface EventFiltersProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
  /** What was heard so far: its types can be chosen one by one. */
  readonly events: readonly EventRecord[];
}

const FAMILIES: Readonly<Record<EventRecord['subject']['kind'], string>> = {
  node: 'All about nodes',
  operation: 'All about operations',
  policy: 'All about the policy',
  firewall: 'All about host rules',
  relay: 'All about relays',
  route: 'All about routes',
  ingress: 'All about ingresses',
  token: 'All about tokens',
  settings: 'All about settings',
};

export function EventFilters({ filters, change, events }: EventFiltersProps) {
  return (
    <search className={classes.filters} aria-label="Filter events">
      <SearchInput label="Name, id or anything else they say" value={filters.q ?? ''} onChange={(q) => change({ q })} />
      <Select
        aria-label="Type"
        placeholder="Any type"
        clearable
        searchable
        data={typesOf(events, filters.type)}
        value={filters.type ?? null}
        onChange={(type) => change({ type })}
      />
    </search>
  );
}

function typesOf(events: readonly EventRecord[], chosen: string | undefined) {
  const heard = new Set(events.map(({ type }) => type as string));
  if (chosen?.endsWith('.*') === false) heard.add(chosen);
  const families = Object.entries(FAMILIES).map(([kind, label]) => ({ value: `${kind}.*`, label }));
  return [
    { group: 'By what it is about', items: families },
    { group: 'Heard so far', items: [...heard].sort().map((type) => ({ value: type, label: type })) },
  ];
}
