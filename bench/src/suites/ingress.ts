import { readFile } from 'node:fs/promises';
import { type Entrance, Load } from '@meshwork/lab/testing/visitors';
import { childrenOf } from '../children-of.ts';
import { interleaved, median, type Row } from '../measure.ts';
import { LOAD_CORE, type Pinned, SERVER_CORE, startPinned } from '../pinned.ts';
import { PlainNginx } from '../plain-nginx.ts';
import { pause } from '../until.ts';
import { usageOf } from '../usage.ts';
import { wrk } from '../wrk.ts';

/** What wrk finds by itself, and names in the handshake. */
const HOST = 'localhost';
const ROUNDS = 5;
const SECONDS = 3;
/** Below those that the kernel gives out. */
const SERVICE_PORTS = [18_101, 18_102];
const [LOGGED_PORT, SILENT_PORT] = [18_111, 18_112];
const CHANGES = 50;
const VISITORS = 8;

/** Of a small page. */
const BODY = JSON.stringify({ name: 'service', text: 'x'.repeat(1000) });

/** A gateway against nginx that a person configured for the same service: one core each, the same TLS, the same headers. */
export async function ingressSuite(): Promise<Row[]> {
  await using started = new AsyncDisposableStack();
  const answer = `access_log off; keepalive_requests 1000000; server { ${SERVICE_PORTS.map((port) => `listen 127.0.0.1:${port};`).join(' ')} location / { return 200 '${BODY}'; } }`;
  started.use(await PlainNginx.start(LOAD_CORE, SERVICE_PORTS[0] ?? 0, () => answer));
  const process = new URL('../gateway-process.ts', import.meta.url);
  const gateway = await startPinned(process, [HOST, ...SERVICE_PORTS.map(String)]);
  started.defer(() => gateway.end());
  const { port, cert_file, key_file } = gateway.ready as { port: number; cert_file: string; key_file: string };
  const tls = { cert_file, key_file };
  const logged = (folder: string) => byHand({ ...tls, port: LOGGED_PORT, log: `access_log ${folder}/access.log;` });
  started.use(await PlainNginx.start(SERVER_CORE, LOGGED_PORT, logged));
  const silent = () => byHand({ ...tls, port: SILENT_PORT, log: 'access_log off;' });
  started.use(await PlainNginx.start(SERVER_CORE, SILENT_PORT, silent));

  const rate = (at: number) => async () => (await wrk(at, HOST, SECONDS)).requests_per_s;
  const usual = await interleaved(ROUNDS, rate(port), rate(LOGGED_PORT));
  const least = await interleaved(ROUNDS, rate(port), rate(SILENT_PORT));
  const row = { what: 'requests by TLS through a gateway', unit: 'requests/s', aim: '≥ 0.97' };
  return [
    { ...row, value: usual.ours, against: { what: 'nginx by hand, with an access log', value: usual.theirs } },
    { ...row, value: least.ours, against: { what: 'nginx by hand, without any log', value: least.theirs } },
    ...(await underChanges(gateway, {
      addresses: ['127.0.0.1'],
      port,
      host: HOST,
      ca: await readFile(cert_file, 'utf8'),
    })),
  ];
}

/** A reload each second, as often as an agent makes one. */
async function underChanges(gateway: Pinned, entrance: Entrance): Promise<Row[]> {
  const { port } = entrance;
  const change = async () => (await gateway.ask('change')) as { readonly pid: number };
  const { pid } = await change();
  const before = await memoryOf(pid);
  const [quiet, changed]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push((await wrk(port, HOST, SECONDS)).p99_ms);
    const load = wrk(port, HOST, SECONDS);
    for (let count = 0; count < SECONDS; count++) await change();
    changed.push((await load).p99_ms);
  }
  const load = new Load(entrance, '/', VISITORS);
  for (let count = 0; count < CHANGES; count++) await change();
  const { failed, answered } = await load.end();
  await pause(2000); // the last of the processes before have ended
  return [
    {
      what: '99 of 100 answers, with a reload each second',
      value: median(changed),
      unit: 'ms',
      against: { what: 'without', value: median(quiet) },
      aim: '≤ 1.5',
    },
    { what: `  failed of ${answered} requests during ${CHANGES} reloads`, value: failed.length, unit: '', aim: '0' },
    {
      what: `  memory of nginx after ${CHANGES + ROUNDS * SECONDS} reloads`,
      value: await memoryOf(pid),
      unit: 'MB',
      against: { what: 'before', value: before },
      aim: '≤ 1.1',
    },
  ];
}

/** Of the master and its workers, what no other process shares. */
async function memoryOf(master: number): Promise<number> {
  const usages = await Promise.all([master, ...(await childrenOf(master))].map(usageOf));
  return usages.reduce((sum, { own_mb }) => sum + own_mb, 0);
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
