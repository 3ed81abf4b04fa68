import { readFile } from 'node:fs/promises';
import { type Entrance, Load } from '@meshwork/lab/testing/visitors';
import { median, type Row } from '../measure.ts';
import { memoryOf, ratesOf } from '../nginx-usage.ts';
import { LOAD_CORE, type Pinned, SERVER_CORE, startPinned } from '../pinned.ts';
import { PlainNginx } from '../plain-nginx.ts';
import { pause } from '../until.ts';
import { wrk } from '../wrk.ts';

/** What wrk finds by itself, and names in the handshake. */
const HOST = 'localhost';
/** Many and short: other load on the machine varies, and has to affect all servers alike. */
const [ROUNDS, SECONDS] = [15, 1];
const [RELOAD_ROUNDS, RELOAD_SECONDS] = [5, 3];
/** Below those that the kernel gives out. */
const SERVICE_PORTS = [18_101, 18_102];
const [LOGGED_PORT, SILENT_PORT] = [18_111, 18_112];
const CHANGES = 50;
const MANY_CHANGES = 500;
/** Changes do not come at the pace of reloads. */
const BETWEEN_CHANGES_MS = [1300, 200, 700, 50, 1900];
const VISITORS = 8;

/** Of a small page. */
const BODY = JSON.stringify({ name: 'service', text: 'x'.repeat(1000) });

interface Server {
  /** Of the master. */
  readonly pid: number;
  readonly port: number;
}

/** Each by itself as well: `npm run bench -- ingress/reloads`. */
export const PARTS = ['requests', 'reloads', 'changes', 'memory'] as const;

/**
 * A gateway against nginx that a person configured for the same service: one core each, the same TLS, the same headers. The gateway
 * counts requests by its own log, as it does in a mesh.
 */
export async function ingressSuite(wanted: readonly (typeof PARTS)[number][] = PARTS): Promise<Row[]> {
  await using started = new AsyncDisposableStack();
  const answer = `access_log off; keepalive_requests 1000000; server { ${SERVICE_PORTS.map((port) => `listen 127.0.0.1:${port};`).join(' ')} location / { return 200 '${BODY}'; } }`;
  started.use(await PlainNginx.start(LOAD_CORE, SERVICE_PORTS[0] ?? 0, () => answer));
  const gateway = await startGateway('paced');
  started.defer(() => gateway.end());
  const { port, pid, cert_file, key_file } = gateway.ready as unknown as Server &
    Record<'cert_file' | 'key_file', string>;
  const tls = { cert_file, key_file };
  const withLog = (folder: string) => byHand({ ...tls, port: LOGGED_PORT, log: `access_log ${folder}/access.log;` });
  const logged = started.use(await PlainNginx.start(SERVER_CORE, LOGGED_PORT, withLog));
  const withoutLog = () => byHand({ ...tls, port: SILENT_PORT, log: 'access_log off;' });
  const silent = started.use(await PlainNginx.start(SERVER_CORE, SILENT_PORT, withoutLog));
  const ours: Server = { port, pid };
  const entrance = { addresses: ['127.0.0.1'], port, host: HOST, ca: await readFile(cert_file, 'utf8') };
  const parts: Readonly<Record<(typeof PARTS)[number], () => Promise<Row[]>>> = {
    requests: () => requests(ours, { port: LOGGED_PORT, pid: logged.pid }, { port: SILENT_PORT, pid: silent.pid }),
    reloads: () => reloads(gateway, ours, logged),
    changes: () => changes(gateway, entrance),
    memory,
  };
  const rows: Row[] = [];
  for (const part of wanted) rows.push(...(await parts[part]()));
  return rows;
}

function startGateway(pace: 'paced' | 'unpaced'): Promise<Pinned> {
  return startPinned(new URL('../gateway-process.ts', import.meta.url), [HOST, pace, ...SERVICE_PORTS.map(String)]);
}

async function requests(...servers: readonly [ours: Server, logged: Server, silent: Server]): Promise<Row[]> {
  const found = servers.map(() => ({ by_clock: [] as number[], by_cpu: [] as number[] }));
  for (const { port } of servers) await wrk(port, HOST, SECONDS); // all are warm before anything counts
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      const { by_clock, by_cpu } = await ratesOf(server, HOST, SECONDS);
      found[index]?.by_clock.push(by_clock);
      found[index]?.by_cpu.push(by_cpu);
    }
  }
  const [ours, logged, silent] = found.map(({ by_clock, by_cpu }) => ({
    by_clock: median(by_clock),
    by_cpu: median(by_cpu),
  }));
  if (ours === undefined || logged === undefined || silent === undefined) throw new Error('a server is missing');
  const what = 'requests by TLS through a gateway';
  const [by_hand, without_log] = ['nginx by hand, with an access log', 'nginx by hand, without any log'];
  return [
    { what, value: ours.by_cpu, unit: 'req/CPU s', against: { what: by_hand, value: logged.by_cpu }, aim: '≥ 0.97' },
    { what: '  by the clock', value: ours.by_clock, unit: 'req/s', against: { what: by_hand, value: logged.by_clock } },
    { what, value: ours.by_cpu, unit: 'req/CPU s', against: { what: without_log, value: silent.by_cpu } },
  ];
}

/** A reload each second, as often as an agent makes one. nginx by hand, which only reads its file again, does so as well. */
async function reloads(gateway: Pinned, { port }: Server, plain: PlainNginx): Promise<Row[]> {
  const found = {
    quiet: [] as number[],
    changed: [] as number[],
    plain_quiet: [] as number[],
    plain_changed: [] as number[],
  };
  const under = async (at: number, change?: () => Promise<unknown>) => {
    const load = wrk(at, HOST, RELOAD_SECONDS);
    for (let count = 0; change !== undefined && count < RELOAD_SECONDS; count++) await change();
    return (await load).p99_ms;
  };
  const reload = async () => {
    plain.reload();
    await pause(1000);
  };
  await gateway.ask('change');
  for (let round = 0; round < RELOAD_ROUNDS; round++) {
    found.quiet.push(await under(port));
    found.plain_quiet.push(await under(LOGGED_PORT));
    found.changed.push(await under(port, () => gateway.ask('change')));
    found.plain_changed.push(await under(LOGGED_PORT, reload));
  }
  const row = (what: string, changed: readonly number[], quiet: readonly number[]) => ({
    what,
    value: median(changed),
    unit: 'ms',
    against: { what: 'without', value: median(quiet) },
  });
  return [
    { ...row('99 of 100 answers, with a reload each second', found.changed, found.quiet), aim: '≤ 1.5' },
    row('  of nginx by hand', found.plain_changed, found.plain_quiet),
  ];
}

async function changes(gateway: Pinned, entrance: Entrance): Promise<Row[]> {
  const load = new Load(entrance, '/', VISITORS);
  const took_s: number[] = [];
  for (let count = 0; count < CHANGES; count++) {
    await pause(BETWEEN_CHANGES_MS[count % BETWEEN_CHANGES_MS.length] ?? 0);
    const { took_ms } = (await gateway.ask('change')) as { readonly took_ms: number };
    took_s.push(took_ms / 1000);
  }
  const { failed, answered } = await load.end();
  const sorted = took_s.toSorted((a, b) => a - b);
  return [
    { what: `  failed of ${answered} requests during ${CHANGES} reloads`, value: failed.length, unit: '', aim: '0' },
    { what: 'from a change that the agent was sent until it serves', value: median(took_s), unit: 's' },
    { what: '  95 of 100', value: sorted[Math.ceil(CHANGES * 0.95) - 1] ?? Number.NaN, unit: 's', aim: '≤ 2' },
  ];
}

async function memory(): Promise<Row[]> {
  const gateway = await startGateway('unpaced');
  try {
    const { pid } = gateway.ready as unknown as Server;
    await gateway.ask('change');
    const before = await memoryOf(pid);
    for (let count = 0; count < MANY_CHANGES; count++) await gateway.ask('change');
    await pause(2000); // the last of the processes before have ended
    const against = { what: 'before', value: before };
    const what = `memory of nginx after ${MANY_CHANGES} reloads`;
    return [{ what, value: await memoryOf(pid), unit: 'MB', against, aim: '≤ 1.1' }];
  } finally {
    await gateway.end();
  }
}

interface ByHand {
  readonly port: number;
  readonly cert_file: string;
  readonly key_file: string;
  readonly log: string;
}

/** What a person writes who knows nginx: connections to the service are kept, and it learns who asks. */
function byHand({ port, cert_file, key_file, log }: ByHand): string {
  return `${log}
server_tokens off;
upstream service { ${SERVICE_PORTS.map((one) => `server 127.0.0.1:${one};`).join(' ')} keepalive 64; }
server {
  listen ${port} ssl http2;
  listen [::]:${port} ssl http2;
  server_name ${HOST};
  ssl_certificate ${cert_file};
  ssl_certificate_key ${key_file};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:tls:16m;
  ssl_session_timeout 1d;
  location / {
    proxy_pass http://service;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $host;
    proxy_set_header X-Request-Id $request_id;
  }
}`;
}
