import type { Ingress, IngressRates } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { plural } from '../../ui/plural.ts';
import { IngressState, MaintenanceBadge } from '../../ui/state.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { HostnameLink } from './hostname-link.tsx';
import classes from './ingress.module.css';
import { IngressRate } from './ingress-rate.tsx';
import { connectionsOf, leadWords, targetWords } from './ingress-words.ts';

const COLUMNS: readonly Column<Ingress>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1.6fr)',
    render: (ingress) => (
      <>
        <AnchorLink to="/ingress/$id" params={{ id: ingress.id }} fw={500}>
          {ingress.name}
        </AnchorLink>
        <span className={classes.below}>
          <HostnameLink ingress={ingress} />
        </span>
        {ingress.problem !== null && (
          <span className={classes.below}>
            <IconAlertTriangle size={14} aria-label="Problem:" className={classes.warning} /> {ingress.problem}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '8rem',
    render: ({ state, maintenance }) => (
      <>
        <IngressState state={state} />
        {maintenance !== null && (
          <span className={classes.below}>
            <MaintenanceBadge />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'service',
    header: 'Leads to',
    width: 'minmax(0, 1.2fr)',
    priority: 2,
    render: ({ routes, ...ingress }) => (
      <>
        {leadWords(ingress)}
        {routes.length > 0 && <span className={classes.below}>and {plural(routes.length, 'path')}</span>}
      </>
    ),
  },
  { id: 'targets', header: 'Targets', width: '5rem', render: (ingress) => targetWords(ingress) },
  {
    id: 'gateways',
    header: 'Gateways',
    width: 'minmax(0, 1.4fr)',
    priority: 2,
    render: ({ served_by, replicas }) => (
      <>
        {served_by.length === 0
          ? 'None'
          : served_by
              .map(({ name }) => name)
              .sort()
              .join(', ')}
        {served_by.length < replicas && (
          <span className={classes.below}>
            {served_by.length} of {replicas} serving
          </span>
        )}
      </>
    ),
  },
  {
    id: 'connections',
    header: 'Connections',
    width: '6.5rem',
    priority: 3,
    render: (ingress) => connectionsOf(ingress)?.toLocaleString() ?? 'Not reported',
  },
];

/** `rates` by the ids of ingresses. */
export function ingressColumns(rates: ReadonlyMap<string, IngressRates>): readonly Column<Ingress>[] {
  const traffic: Column<Ingress> = {
    id: 'traffic',
    header: 'Last 5 minutes',
    width: '9.5rem',
    priority: 2,
    render: (ingress) => <IngressRate ingress={ingress} rates={rates.get(ingress.id)} />,
  };
  return [...COLUMNS, traffic];
}
