import { Select } from '@mantine/core';
import { NODE_STATES } from '@meshwork/contract/vocabulary';
import { SearchInput } from '../../ui/search-input.tsx';
import { NODE_LOOKS } from '../../ui/state.tsx';
import { GROUPING_WORDS, GROUPINGS, type Grouping } from './grouping.ts';
import classes from './topology.module.css';

export const TOPOLOGY_FILTERS = ['q', 'tag', 'state'] as const;
type Filter = (typeof TOPOLOGY_FILTERS)[number] | 'group';

interface TopologyFiltersProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
  /** Null: a list is not grouped. */
  readonly grouping: Grouping | null;
}

const STATES = NODE_STATES.filter((state) => state !== 'removed')
  .toReversed()
  .map((state) => ({ value: state, label: NODE_LOOKS[state].word }));
const WAYS = GROUPINGS.map((value) => ({ value, label: GROUPING_WORDS[value] }));

/** An incomplete tag, while it is typed, is no filter yet. */
export function isTag(text: string | undefined): text is string {
  return text !== undefined && /^[a-z0-9][a-z0-9._-]{0,62}(?::[a-z0-9][a-z0-9._-]{0,62})?$/.test(text);
}

export function TopologyFilters({ filters, change, grouping }: TopologyFiltersProps) {
  return (
    <search className={classes.filters} aria-label="Filter nodes">
      <SearchInput label="Name or address" value={filters.q ?? ''} onChange={(q) => change({ q })} />
      <SearchInput label="Tag" value={filters.tag ?? ''} onChange={(tag) => change({ tag })} />
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        data={STATES}
        value={filters.state ?? null}
        onChange={(state) => change({ state })}
      />
      {grouping !== null && (
        <Select
          aria-label="Group nodes"
          allowDeselect={false}
          data={WAYS}
          value={grouping}
          onChange={(group) => change({ group })}
        />
      )}
    </search>
  );
}
