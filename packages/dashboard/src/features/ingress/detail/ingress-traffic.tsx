import { Alert, Text } from '@mantine/core';
import type { Ingress, IngressTraffic } from '@meshwork/contract';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useRead } from '../../../api/queries.ts';
import { BarChart } from '../../../ui/bar-chart.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago, Moment } from '../../../ui/moment.tsx';
import { bytesText, msText } from '../../../ui/quantities.ts';
import { Section } from '../../../ui/section.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from '../ingress.module.css';
import { LOOK_EVERY_MS } from '../ingress-words.ts';
import { rateText, recentRate, shareText, widerSteps } from '../rate-words.ts';

const MINUTES = 60;
const STEP_S = 60;
/** In the order of `widerSteps`, from below. */
const SERIES = [
  { id: '5xx', label: '5xx', tone: 'bad' },
  { id: '4xx', label: '4xx', tone: 'watch' },
  { id: 'others', label: 'Others, such as 3xx', tone: 'off' },
  { id: '2xx', label: '2xx', tone: 'good' },
] as const;

type Route = IngressTraffic['routes'][number];

/** How much comes to it, and how it goes: the last hour, as its gateways counted it. */
export function IngressTrafficCard({ ingress }: { readonly ingress: Ingress }) {
  const { id, kind, counted } = ingress;
  const isCounted = kind === 'http' && counted;
  const query = useRead(
    'ingress.traffic',
    { params: { id }, query: { minutes: MINUTES } },
    { every_ms: LOOK_EVERY_MS, enabled: isCounted },
  );
  if (kind !== 'http') return null;
  return (
    <Section title="Traffic" description="Requests that its gateways answered in the last hour.">
      {isCounted ? (
        <Loaded query={query}>
          {(traffic) => (
            <>
              {query.isError && (
                <Text size="sm" role="status">
                  <IconAlertTriangle size={14} aria-hidden className={classes.warning} /> Not updated since{' '}
                  <Ago at={traffic.to} />: the coordinator does not answer.
                </Text>
              )}
              <Shown traffic={traffic} />
            </>
          )}
        </Loaded>
      ) : (
        <Text size="sm" c="dimmed">
          Requests are not counted. Edit the ingress to have them counted from then on.
        </Text>
      )}
    </Section>
  );
}

function Shown({ traffic }: { readonly traffic: IngressTraffic }) {
  const { total, points, step_s, routes, gateways } = traffic;
  const missing = gateways.filter(({ problem }) => problem !== null);
  return (
    <>
      {gateways.length === 0 && (
        <Text size="sm" c="dimmed">
          It has no gateway that could count requests.
        </Text>
      )}
      {missing.length > 0 && <Missing gateways={missing} />}
      {total.requests === 0 ? (
        gateways.length > 0 && (
          <Text size="sm" c="dimmed">
            {missing.length === 0 ? 'No requests in the last hour.' : 'No requests are known of the last hour.'}
          </Text>
        )
      ) : (
        <>
          <Totals total={total} now={recentRate(points, step_s)} />
          <BarChart
            label="Requests per minute, by class of status"
            series={SERIES}
            steps={widerSteps(points, STEP_S * 1000)}
            step_s={STEP_S}
          />
          <VirtualTable<Route>
            label="Traffic by route"
            rows={routes}
            rowId={({ route }) => route ?? ''}
            columns={COLUMNS}
            height="24rem"
            empty={null}
          />
        </>
      )}
    </>
  );
}

interface TotalsProps {
  readonly total: IngressTraffic['total'];
  readonly now: number;
}

function Totals({ total, now }: TotalsProps) {
  const { requests, classes: by, statuses, p50_ms, p95_ms, p99_ms, upstream_ms, bytes_in, bytes_out } = total;
  return (
    <Facts
      items={[
        { label: 'Now', value: rateText(now), help: 'Requests a second, of the last whole minute.' },
        { label: 'Last hour', value: `${requests.toLocaleString()} requests` },
        {
          label: 'Errors',
          value: `${shareText(by['5xx'], requests)} with 5xx, ${shareText(by['4xx'], requests)} with 4xx`,
        },
        ...(statuses.length === 0
          ? []
          : [
              {
                label: 'Statuses',
                value: statuses.map((one) => `${one.status}: ${one.requests.toLocaleString()}`).join(', '),
                help: '499: the client left before it had its answer.',
              },
            ]),
        {
          label: 'Time',
          value: `${time(p50_ms)} for half of them, ${time(p95_ms)} for 95%, ${time(p99_ms)} for 99%`,
          help: 'From the first byte of a request to the last of its answer. Read from buckets, so these are estimates.',
        },
        { label: 'Services took', value: upstream_ms === null ? 'None was asked' : `${time(upstream_ms)} in the mean` },
        { label: 'Bytes', value: `${bytesText(bytes_in)} received, ${bytesText(bytes_out)} sent` },
      ]}
    />
  );
}

function time(ms: number | null): string {
  return ms === null ? '–' : ms >= 10_000 ? '10 s or more' : msText(ms);
}

const COLUMNS: readonly Column<Route>[] = [
  {
    id: 'route',
    header: 'Route',
    width: 'minmax(0, 1.4fr)',
    render: ({ route }) => (route === null ? 'None, such as redirects' : <span className={classes.mono}>{route}</span>),
  },
  {
    id: 'requests',
    header: 'Requests',
    width: '6.5rem',
    render: ({ traffic: { requests } }) => (
      <>
        {requests.toLocaleString()}
        <span className={classes.below}>{rateText(requests / (MINUTES * 60))}</span>
      </>
    ),
  },
  {
    id: 'errors',
    header: '5xx',
    width: '5rem',
    render: ({ traffic: { classes: by, requests } }) => shareText(by['5xx'], requests) ?? '–',
  },
  {
    id: 'refused',
    header: '4xx',
    width: '5rem',
    priority: 2,
    render: ({ traffic: { classes: by, requests } }) => shareText(by['4xx'], requests) ?? '–',
  },
  {
    id: 'time',
    header: '95% within',
    width: '7rem',
    priority: 2,
    render: ({ traffic: { p95_ms } }) => time(p95_ms),
  },
];

/** What is not in the figures, and since when they are whole. */
function Missing({ gateways }: { readonly gateways: IngressTraffic['gateways'] }) {
  return (
    <Alert
      variant="light"
      color="blue"
      icon={<IconInfoCircle aria-hidden />}
      title="Some requests are not in these figures"
    >
      <ul className={classes.lines} aria-label="Requests that are missing">
        {gateways.map(({ node, name, since, problem }) => (
          <li key={node}>
            <Text size="sm" span fw={500}>
              {name}:
            </Text>{' '}
            <Text size="sm" span>
              {problem?.includes('`since`') && since !== null ? (
                <>
                  Counted since <Moment at={since} />. What came before is not known here.
                </>
              ) : (
                problem
              )}
            </Text>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
