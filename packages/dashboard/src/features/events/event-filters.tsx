import { Select } from '@mantine/core';
import type { EventRecord } from '@meshwork/contract';
import type { Feature } from '../../feature/feature.ts';
import { useFeatures } from '../../feature/feature-list.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import classes from './event-filters.module.css';

export const EVENT_FILTERS = ['q', 'type'] as const;
type Filter = (typeof EVENT_FILTERS)[number];

interface EventFiltersProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
  /** Received so far: their types can be chosen one by one. */
  readonly events: readonly EventRecord[];
}

export function EventFilters({ filters, change, events }: EventFiltersProps) {
  const features = useFeatures();
  return (
    <search className={classes.filters} aria-label="Filter events">
      <SearchInput label="Name, ID or other text" value={filters.q ?? ''} onChange={(q) => change({ q })} />
      <Select
        aria-label="Type"
        placeholder="Any type"
        clearable
        searchable
        data={[familiesOf(features), typesOf(events, filters.type)]}
        value={filters.type ?? null}
        onChange={(type) => change({ type })}
      />
    </search>
  );
}

function familiesOf(features: readonly Feature[]) {
  const families = features.flatMap(({ events = {} }) => Object.entries(events));
  return { group: 'By area', items: families.map(([family, { title }]) => ({ value: `${family}.*`, label: title })) };
}

function typesOf(events: readonly EventRecord[], chosen: string | undefined) {
  const received = new Set(events.map(({ type }) => type as string));
  if (chosen?.endsWith('.*') === false) received.add(chosen);
  return { group: 'Received so far', items: [...received].sort().map((type) => ({ value: type, label: type })) };
}
