import { Select } from '@mantine/core';
import { NODE_STATES } from '@meshwork/contract/vocabulary';
import { useList } from '../../api/queries.ts';
import { NAT_KINDS, NAT_WORDS } from '../../mesh/nat-words.ts';
import { tagProblem } from '../../mesh/tag-problem.ts';
import { useMay } from '../../session/session.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { NODE_LOOKS } from '../../ui/state.tsx';
import classes from './node-filters.module.css';

export const NODE_FILTERS = ['q', 'state', 'tag', 'relay', 'standby_relay', 'nat', 'service'] as const;
type Filter = (typeof NODE_FILTERS)[number];

interface NodeFiltersProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
}

const STATES = NODE_STATES.toReversed().map((state) => ({ value: state, label: NODE_LOOKS[state].word }));

const NATS = NAT_KINDS.map((kind) => ({ value: kind, label: NAT_WORDS[kind] }));

export function NodeFilters({ filters, change }: NodeFiltersProps) {
  const may = useMay();
  const relays = useList('relays.list', undefined, { enabled: may('relays:read') });
  // One that is gone, or was mistyped in the address bar, is still what the list is filtered by.
  const namesWith = (chosen: string | undefined) => [
    ...new Set([...relays.items.map(({ name }) => name), ...(chosen === undefined ? [] : [chosen])]),
  ];
  const homes = namesWith(filters.relay);
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
      {homes.length > 0 && (
        <Select
          aria-label="Relay"
          placeholder="Any relay"
          clearable
          searchable
          data={homes}
          value={filters.relay ?? null}
          onChange={(relay) => change({ relay })}
        />
      )}
      {filters.standby_relay !== undefined && (
        <Select
          aria-label="Standby relay"
          clearable
          searchable
          data={namesWith(filters.standby_relay).map((name) => ({ value: name, label: `${name} as standby` }))}
          value={filters.standby_relay}
          onChange={(standby_relay) => change({ standby_relay })}
        />
      )}
      <Select
        aria-label="NAT"
        placeholder="Any NAT"
        clearable
        data={NATS}
        value={filters.nat ?? null}
        onChange={(nat) => change({ nat })}
      />
      <SearchInput label="Service" value={filters.service ?? ''} onChange={(service) => change({ service })} />
    </search>
  );
}
