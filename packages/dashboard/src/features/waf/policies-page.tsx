import { Button, Select } from '@mantine/core';
import type { WafPolicy } from '@meshwork/contract';
import { IconFilterOff, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEveryItem } from '../../api/every-item.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { plural } from '../../ui/plural.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { WAF_MODE_LOOKS } from '../../ui/state.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { NoPolicies } from './no-policies.tsx';
import { POLICY_COLUMNS } from './policy-columns.tsx';
import classes from './waf.module.css';
import { WafNav } from './waf-nav.tsx';
import { LOOK_EVERY_MS, usersOf } from './waf-words.ts';

const MODES = Object.entries(WAF_MODE_LOOKS).map(([value, { word }]) => ({ value, label: word }));

export default function PoliciesPage() {
  const policies = useEveryItem('waf.list', undefined, LOOK_EVERY_MS);
  const [filters, change] = useFilters(['q', 'mode']);
  const mayWrite = useMay()('waf:write');
  const navigate = useNavigate();
  const shown = policies.items.filter((policy) => isWanted(policy, filters));
  const isEmpty = !policies.isLoading && policies.items.length === 0;
  const create = mayWrite && (
    <ButtonLink to="/waf/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Create policy
    </ButtonLink>
  );
  return (
    <Page
      title="WAF"
      subtitle={policies.isLoading || isEmpty ? undefined : plural(policies.items.length, 'policy', 'policies')}
      actions={!isEmpty && create}
    >
      <WafNav />
      {!isEmpty && (
        <search aria-label="Filter policies" className={classes.filters}>
          <SearchInput label="Name or ingress" value={filters.q ?? ''} onChange={(text) => change({ q: text })} />
          <Select
            aria-label="Mode"
            placeholder="Any mode"
            clearable
            data={MODES}
            value={filters.mode ?? null}
            onChange={(value) => change({ mode: value })}
          />
        </search>
      )}
      {policies.error !== null && <ProblemNotice error={policies.error} onRetry={policies.again} />}
      <VirtualTable<WafPolicy>
        label="WAF policies"
        rows={shown}
        rowId={({ id }) => id}
        columns={POLICY_COLUMNS}
        onOpen={({ id }) => void navigate({ to: '/waf/$id', params: { id } })}
        loading={policies.isLoading}
        empty={
          isEmpty ? (
            policies.error === null && <NoPolicies action={create} />
          ) : (
            <EmptyState
              icon={IconFilterOff}
              title="No matching policies"
              action={
                <Button variant="default" onClick={() => change({ q: null, mode: null })}>
                  Clear filters
                </Button>
              }
            />
          )
        }
      />
    </Page>
  );
}

function isWanted(policy: WafPolicy, { q = '', mode }: { readonly q?: string; readonly mode?: string }): boolean {
  const words = q.trim().toLowerCase();
  const texts = [policy.name, policy.note ?? '', ...usersOf(policy), ...policy.used_by.map(({ hostname }) => hostname)];
  return (mode === undefined || policy.mode === mode) && texts.some((text) => text.toLowerCase().includes(words));
}
