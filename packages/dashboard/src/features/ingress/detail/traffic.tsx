import { Text } from '@mantine/core';
import type { Ingress, IngressTraffic } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { bytesText, msText } from '../../../ui/quantities.ts';
import { Section } from '../../../ui/section.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from '../ingress.module.css';
import { LOOK_EVERY_MS } from '../ingress-words.ts';

const MINUTES = 5;

type Route = IngressTraffic['routes'][number];

/** How much comes to it, and how it goes: of the last minutes, as its gateways counted. */
export function Traffic({ ingress }: { readonly ingress: Ingress }) {
  const request = { params: { id: ingress.id }, query: { minutes: MINUTES } };
  const query = useRead('ingress.traffic', request, { every_ms: LOOK_EVERY_MS });
  return (
    <Section title="Traffic" description={`The last ${MINUTES} minutes, as its gateways counted.`}>
      <Loaded query={query}>{(traffic) => <Counted traffic={traffic} />}</Loaded>
    </Section>
  );
}

function Counted({ traffic }: { readonly traffic: IngressTraffic }) {
  const { total, routes, points, gateways } = traffic;
  const missing = gateways.filter(({ problem }) => problem !== null);
  return (
    <>
      <div className={classes.head}>
        <Text span fw={500}>
          {total.per_s} requests a second
        </Text>
        <Sparkline
          label={`${total.requests} requests in ${MINUTES} minutes, ${total.classes['5xx']} of them with a status of 5xx`}
          tones={['bad', 'off']}
          steps={points.map(({ at, requests, errors }) => ({ at, counts: [errors, requests - errors] }))}
        />
      </div>
      <Facts
        items={[
          { label: 'Statuses', value: statusWords(total) },
          { label: 'Answered within', value: total.p50_ms === null ? 'No requests' : timesWords(total) },
          { label: 'Received, sent', value: `${bytesText(total.bytes_in)}, ${bytesText(total.bytes_out)}` },
        ]}
      />
      {routes.length > 0 && (
        <VirtualTable<Route>
          label="Traffic by route"
          rows={routes}
          rowId={({ route }) => route ?? ''}
          columns={COLUMNS}
          height="16rem"
          empty={null}
        />
      )}
      {missing.map(({ node, name, problem, reported_at }) => (
        <Text key={node} size="sm" c="dimmed" className={classes.outside}>
          {name}: {problem} {reported_at !== null && <Ago at={reported_at} />}
        </Text>
      ))}
    </>
  );
}

function statusWords({ classes: counts }: Pick<IngressTraffic['total'], 'classes'>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([name, count]) => `${name} ${count}`).join(', ') || 'None';
}

function timesWords({ p50_ms, p95_ms, p99_ms }: IngressTraffic['total']): string {
  const parts = [
    ['half', p50_ms],
    ['95%', p95_ms],
    ['99%', p99_ms],
  ] as const;
  return parts.map(([which, value]) => `${which}: ${value === null ? 'none' : msText(value)}`).join(', ');
}

const COLUMNS: readonly Column<Route>[] = [
  { id: 'route', header: 'Route', width: 'minmax(0, 1.4fr)', render: ({ route }) => route ?? 'No route' },
  { id: 'rate', header: 'A second', width: '5rem', render: ({ traffic }) => traffic.per_s },
  { id: 'statuses', header: 'Statuses', width: 'minmax(0, 1.6fr)', render: ({ traffic }) => statusWords(traffic) },
  {
    id: 'p95',
    header: '95% within',
    width: '6rem',
    render: ({ traffic }) => (traffic.p95_ms === null ? 'None' : msText(traffic.p95_ms)),
  },
];
