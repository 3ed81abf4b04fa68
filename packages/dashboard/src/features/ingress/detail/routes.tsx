import type { Ingress } from '@meshwork/contract';
import { Section } from '../../../ui/section.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from '../ingress.module.css';
import { balanceWords, checkWords } from '../ingress-words.ts';

type Route = Ingress['routes'][number];

const COLUMNS: readonly Column<Route>[] = [
  {
    id: 'path',
    header: 'Path',
    width: 'minmax(0, 0.8fr)',
    render: ({ path }) => <span className={classes.mono}>{path}</span>,
  },
  {
    id: 'service',
    header: 'Service',
    width: 'minmax(0, 1.4fr)',
    render: ({ service, upstream: { protocol, canary } }) => (
      <>
        {service}
        <span className={classes.below}>
          {protocol === 'https' ? 'by HTTPS' : 'by HTTP'}
          {canary !== null && `, ${canary.percent}% to canary ${canary.service}`}
        </span>
      </>
    ),
  },
  {
    id: 'balance',
    header: 'Balancing and health check',
    width: 'minmax(0, 2fr)',
    render: ({ upstream: { balance, weights, check } }) => (
      <>
        {balanceWords(balance)}
        {weights.length > 0 && (
          <span className={classes.below}>
            {weights.map(({ nodes, weight }) => `${nodes} has weight ${weight}`).join(', ')}
          </span>
        )}
        <span className={classes.below}>{checkWords(check)}</span>
        {check.kind !== 'none' && (
          <span className={classes.below}>
            Up after {check.rise}, down after {check.fall}, timeout {check.timeout_s} s
          </span>
        )}
      </>
    ),
  },
];

/** Every path with its upstream. The longest path that fits a request counts. */
export function Routes({ ingress: { service, upstream, routes } }: { readonly ingress: Ingress }) {
  return (
    <Section title="Routes" description="The longest path that matches a request counts.">
      <VirtualTable<Route>
        label="Routes"
        rows={[{ path: '/', service, upstream }, ...routes]}
        rowId={({ path }) => path}
        columns={COLUMNS}
        height="26rem"
        empty={null}
      />
    </Section>
  );
}
