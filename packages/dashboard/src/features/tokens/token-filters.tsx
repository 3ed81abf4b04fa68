import { Select, Switch } from '@mantine/core';
import { TOKEN_STATES } from '@meshwork/contract/vocabulary';
import { useAssignableRoles } from '../../mesh/assignable-roles.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { TOKEN_LOOKS } from '../../ui/state.tsx';
import classes from './token-filters.module.css';

export const TOKEN_FILTERS = ['q', 'state', 'role', 'people'] as const;
type Filter = (typeof TOKEN_FILTERS)[number];

interface TokenFiltersProps {
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly change: (change: Partial<Record<Filter, string | null>>) => void;
}

const STATES = TOKEN_STATES.map((state) => ({ value: state, label: TOKEN_LOOKS[state].word }));

export function TokenFilters({ filters, change }: TokenFiltersProps) {
  const roles = useAssignableRoles();
  // One that is gone, or was mistyped in the address bar, is still what the list is filtered by.
  const names = new Set([...roles.map(({ name }) => name), ...(filters.role === undefined ? [] : [filters.role])]);
  return (
    <search className={classes.filters} aria-label="Filter tokens">
      <div className={classes.wide}>
        <SearchInput label="Name" value={filters.q ?? ''} onChange={(q) => change({ q })} />
      </div>
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        data={STATES}
        value={filters.state ?? null}
        onChange={(state) => change({ state })}
      />
      <Select
        aria-label="Role"
        placeholder="Any role"
        clearable
        searchable
        data={[...names]}
        value={filters.role ?? null}
        onChange={(role) => change({ role })}
      />
      <Switch
        label="Include session tokens of people"
        className={classes.wide}
        checked={filters.people === 'yes'}
        onChange={(event) => change({ people: event.currentTarget.checked ? 'yes' : null })}
      />
    </search>
  );
}
