import { Select } from '@mantine/core';
import { NODE_STATES } from '@meshwork/contract/vocabulary';
import { useList } from '../../api/queries.ts';
import { tagProblem } from '../../mesh/tag-problem.ts';
import { useMay } from '../../session/session.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { NODE_LOOKS } from '../../ui/state.tsx';
import classes from './node-filters.module.css';

export const NODE_FILTERS = ['q', 'state', 'tag', 'relay', 'service'] as const;
type Filter = (typeof NODE_FILTERS)[number];

interface NodeFiltersProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
}

const STATES = NODE_STATES.toReversed().map((state) => ({ value: state, label: NODE_LOOKS[state].word }));

export function NodeFilters({ filters, change }: NodeFiltersProps) {
  const may = useMay();
  const relays = useList('relays.list', undefined, { enabled: may('relays:read') });
  // One that is gone, or was mistyped in the address bar, is still what the list is filtered by.
  const names = new Set([
    ...relays.items.map(({ name }) => name),
    ...(filters.relay === undefined ? [] : [filters.relay]),
  ]);
  const wrong = filters.tag === undefined ? null : tagProblem([filters.tag]);
  return (
    <search className={classes.filters} aria-label="Filter nodes">
      <div className={classes.wide}>
        <SearchInput label="Name or address" value={filters.q ?? ''} onChange={(q) => change({ q })} />
      </div>
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        data={STATES}
        value={filters.state ?? null}
        onChange={(state) => change({ state })}
      />
      <div>
        <SearchInput label="Tag" value={filters.tag ?? ''} onChange={(tag) => change({ tag })} />
        {wrong !== null && (
          <span role="alert" className={classes.wrong}>
            {wrong}
          </span>
        )}
      </div>
      {names.size > 0 && (
        <Select
          aria-label="Relay"
          placeholder="Any relay"
          clearable
          searchable
          data={[...names]}
          value={filters.relay ?? null}
          onChange={(relay) => change({ relay })}
        />
      )}
      <SearchInput label="Service" value={filters.service ?? ''} onChange={(service) => change({ service })} />
    </search>
  );
}
