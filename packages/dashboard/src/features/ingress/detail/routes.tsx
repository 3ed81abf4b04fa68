import type { Ingress } from '@meshwork/contract';
import { WafPolicyLink } from '../../../mesh/waf-policy-link.tsx';
import { Section } from '../../../ui/section.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from '../ingress.module.css';
import { balanceWords, checkWords, PROTOCOL_WORDS } from '../ingress-words.ts';

type Route = Omit<Ingress['routes'][number], 'traffic'>;

const PATH: Column<Route> = {
  id: 'path',
  header: 'Path',
  width: 'minmax(0, 0.8fr)',
  render: ({ path }) => <span className={classes.mono}>{path}</span>,
};
const COLUMNS: readonly Column<Route>[] = [
  {
    id: 'service',
    header: 'Service',
    width: 'minmax(0, 1.4fr)',
    render: ({ service, upstream: { protocol, proxy_protocol, canary }, waf }) => (
      <>
        {service}
        {waf !== undefined && (
          <span className={classes.below}>
            WAF: <WafPolicyLink id={waf} />
          </span>
        )}
        <span className={classes.below}>
          by {PROTOCOL_WORDS[protocol]}
          {proxy_protocol && ' with PROXY protocol'}
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

/** Every path that leads to a service, with its upstream. The longest path that fits a request counts. */
export function Routes({ ingress: { kind, service, upstream, routes } }: { readonly ingress: Ingress }) {
  const rows = [...(service === null ? [] : [{ path: '/', service, upstream }]), ...routes];
  if (rows.length === 0) return null;
  const isHttp = kind === 'http';
  return (
    <Section
      title={isHttp ? 'Routes' : 'Service'}
      {...(isHttp ? { description: 'The longest path that matches a request counts.' } : {})}
    >
      <VirtualTable<Route>
        label={isHttp ? 'Routes' : 'Service'}
        rows={rows}
        rowId={({ path }) => path}
        columns={isHttp ? [PATH, ...COLUMNS] : COLUMNS}
        height="26rem"
        empty={null}
      />
    </Section>
  );
}
