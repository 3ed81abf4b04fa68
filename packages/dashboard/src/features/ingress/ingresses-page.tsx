import { Button, Select } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { IconFilterOff, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEveryItem } from '../../api/every-item.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { plural } from '../../ui/plural.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { INGRESS_LOOKS } from '../../ui/state.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import classes from './ingress.module.css';
import { ingressColumns } from './ingress-columns.tsx';
import { LOOK_EVERY_MS } from './ingress-words.ts';
import { matches } from './matches.ts';
import { NoIngresses } from './no-ingresses.tsx';

const STATES = Object.entries(INGRESS_LOOKS).map(([value, { word }]) => ({ value, label: word }));

export default function IngressesPage() {
  const ingresses = useEveryItem('ingress.list', undefined, LOOK_EVERY_MS);
  const rates = useEveryItem('ingress.rates', undefined, LOOK_EVERY_MS);
  const [filters, change] = useFilters(['q', 'state', 'gateway']);
  const mayWrite = useMay()('ingress:write');
  const mayReadGiven = useMay()('given_certificates:read');
  const mayReadAuthorities = useMay()('outside_authorities:read');
  const navigate = useNavigate();
  const columns = useMemo(() => ingressColumns(new Map(rates.items.map((one) => [one.ingress, one]))), [rates.items]);
  const shown = ingresses.items.filter((ingress) => matches(ingress, filters));
  const isEmpty = !ingresses.isLoading && ingresses.items.length === 0;
  const create = mayWrite && (
    <ButtonLink to="/ingress/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Create ingress
    </ButtonLink>
  );
  const gateways = new Set(ingresses.items.flatMap(({ assigned_to }) => assigned_to.map(({ name }) => name)));
  return (
    <Page
      title="Ingress"
      subtitle={ingresses.isLoading || isEmpty ? undefined : countWords(ingresses.items)}
      actions={
        <>
          {mayReadGiven && (
            <ButtonLink to="/given-certificates" variant="default">
              Given certificates
            </ButtonLink>
          )}
          {mayReadAuthorities && (
            <ButtonLink to="/outside-authorities" variant="default">
              Outside authorities
            </ButtonLink>
          )}
          {!isEmpty && create}
        </>
      }
    >
      {!isEmpty && (
        <search aria-label="Filter ingresses" className={classes.filters}>
          <SearchInput
            label="Name, host name or service"
            value={filters.q ?? ''}
            onChange={(text) => change({ q: text })}
          />
          <Select
            aria-label="State"
            placeholder="Any state"
            clearable
            data={STATES}
            value={filters.state ?? null}
            onChange={(value) => change({ state: value })}
          />
          <Select
            aria-label="Gateway"
            placeholder="Any gateway"
            clearable
            searchable
            data={[...new Set([...gateways, ...(filters.gateway === undefined ? [] : [filters.gateway])])].sort()}
            value={filters.gateway ?? null}
            onChange={(value) => change({ gateway: value })}
          />
        </search>
      )}
      {ingresses.error !== null && <ProblemNotice error={ingresses.error} onRetry={ingresses.again} />}
      {rates.error !== null && ingresses.error === null && <ProblemNotice error={rates.error} onRetry={rates.again} />}
      <VirtualTable<Ingress>
        label="Ingresses"
        rows={shown}
        rowId={({ id }) => id}
        columns={columns}
        onOpen={({ id }) => void navigate({ to: '/ingress/$id', params: { id } })}
        loading={ingresses.isLoading}
        empty={
          isEmpty ? (
            ingresses.error === null && <NoIngresses action={create} />
          ) : (
            <EmptyState
              icon={IconFilterOff}
              title="No matching ingresses"
              action={
                <Button variant="default" onClick={() => change({ q: null, state: null, gateway: null })}>
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

function countWords(ingresses: readonly Ingress[]): string {
  const unserved = ingresses.filter(({ state }) => state === 'assigned' || state === 'unassigned').length;
  const all = plural(ingresses.length, 'ingress', 'ingresses');
  return unserved === 0 ? all : `${all}, ${unserved.toLocaleString()} not serving`;
}
