import { Select, Switch } from '@mantine/core';
import { CERTIFICATE_PROFILES, CERTIFICATE_STATES } from '@meshwork/contract/vocabulary';
import { SearchInput } from '../../ui/search-input.tsx';
import { CERTIFICATE_LOOKS } from '../../ui/state.tsx';
import { type CertificateFilter, EXPIRING, type Filters, isNodeRef } from './asked-for.ts';
import classes from './certificate-filters.module.css';
import { PROFILE_WORDS } from './certificate-words.ts';

interface CertificateFiltersProps {
  readonly filters: Filters;
  readonly change: (change: Partial<Record<CertificateFilter, string | null>>) => void;
}

const STATES = CERTIFICATE_STATES.map((state) => ({ value: state, label: CERTIFICATE_LOOKS[state].word }));
const PROFILES = CERTIFICATE_PROFILES.map((profile) => ({ value: profile, label: PROFILE_WORDS[profile] }));
const WITHIN = EXPIRING.map(({ value, label }) => ({ value, label }));

export function CertificateFilters({ filters, change }: CertificateFiltersProps) {
  const { q = '', node = '', state = null, expiring = null, profile = null, current } = filters;
  return (
    <search className={classes.filters} aria-label="Filter certificates">
      <div className={classes.search}>
        <SearchInput label="Name or serial number" value={q} onChange={(text) => change({ q: text })} />
      </div>
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        data={STATES}
        value={state}
        onChange={(value) => change({ state: value })}
      />
      <Select
        aria-label="Expiry"
        placeholder="Any expiry"
        clearable
        data={WITHIN}
        value={expiring}
        onChange={(value) => change({ expiring: value })}
      />
      <Select
        aria-label="Profile"
        placeholder="Any profile"
        clearable
        data={PROFILES}
        value={profile}
        onChange={(value) => change({ profile: value })}
      />
      <div>
        <SearchInput label="Node" value={node} onChange={(text) => change({ node: text.trim() })} />
        {node !== '' && !isNodeRef(node) && (
          <span role="alert" className={classes.wrong}>
            Enter the name or ID of a node
          </span>
        )}
      </div>
      <div className={classes.switch}>
        <Switch
          label="Current only"
          checked={current === 'yes'}
          onChange={(event) => change({ current: event.currentTarget.checked ? 'yes' : null })}
        />
      </div>
    </search>
  );
}
