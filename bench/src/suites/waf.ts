import { globSync, writeFileSync } from 'node:fs';
import { interleaved, type Row } from '../measure.ts';
import { memoryOf, ratesOf } from '../nginx-usage.ts';
import { LOAD_CORE, SERVER_CORE, startPinned } from '../pinned.ts';
import { PlainNginx } from '../plain-nginx.ts';
import { pause } from '../until.ts';
import type { WafWanted } from '../waf-process.ts';

/** What wrk finds by itself, and names in the handshake. */
const HOST = 'localhost';
/** Nothing is found in it. */
const PATH = '/search?q=winter%20coat&page=2&sort=price';
const ROUNDS = 5;
const SECONDS = 3;
/** Below those that the kernel gives out. */
const SERVICE_PORT = 18_121;
const BY_HAND_PORT = 18_131;
const RELOADS = 30;
const MODULE = '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so';
/** Those that a gateway loads. */
const RULES = '/usr/share/modsecurity-crs/rules/{REQUEST-{901,911,913,92?,93?,94?}-*,RESPONSE-95?-*}.conf';
const BODY = JSON.stringify({ name: 'service', text: 'x'.repeat(1000) });

const USUAL: WafWanted = { mode: 'block', paranoia: 1, change: 0, others: 0 };

/** A gateway with a policy against ModSecurity with the same rules as a person configures it: one core each, the same TLS. */
export async function wafSuite(): Promise<Row[]> {
  await using started = new AsyncDisposableStack();
  const answer = `access_log off; keepalive_requests 1000000; server { listen 127.0.0.1:${SERVICE_PORT}; location / { return 200 '${BODY}'; } }`;
  started.use(await PlainNginx.start(LOAD_CORE, SERVICE_PORT, () => answer));
  const gateway = await startPinned(new URL('../waf-process.ts', import.meta.url), [HOST, String(SERVICE_PORT)]);
  started.defer(() => gateway.end());
  const { port, cert_file, key_file } = gateway.ready as { port: number; cert_file: string; key_file: string };
  const serve = async (wanted: WafWanted | null) =>
    (await gateway.ask(JSON.stringify(wanted))) as { readonly pid: number };
  const by_hand = started.use(
    await PlainNginx.start(SERVER_CORE, BY_HAND_PORT, (folder) => byHand({ folder, cert_file, key_file }), [MODULE]),
  );
  const { pid } = await serve(USUAL); // the same nginx throughout
  const rate = (server: { readonly pid: number; readonly port: number }) => async () =>
    (await ratesOf(server, HOST, SECONDS, PATH)).by_cpu;
  const byGateway = rate({ pid, port });
  const compared = async (ours: WafWanted | null, theirs: WafWanted | null) =>
    await interleaved(
      3,
      async () => {
        await serve(ours);
        return await byGateway();
      },
      async () => {
        await serve(theirs);
        return await byGateway();
      },
    );

  const usual = await interleaved(ROUNDS, byGateway, rate({ pid: by_hand.pid, port: BY_HAND_PORT }));
  const unit = 'req/CPU s';
  const rows: Row[] = [
    {
      what: 'requests that a policy inspects',
      unit,
      value: usual.ours,
      against: { what: 'ModSecurity by hand', value: usual.theirs },
      aim: '≥ 0.97',
    },
  ];
  const variants: readonly (readonly [what: string, wanted: WafWanted | null, aim?: string])[] = [
    ['  not inspected', null],
    ['  in the mode detect', { ...USUAL, mode: 'detect' }, '≥ 0.95'],
    ['  beside 20 other policies', { ...USUAL, others: 20 }],
    ...[2, 3, 4].map((paranoia) => [`  paranoia ${paranoia}`, { ...USUAL, paranoia }] as const),
  ];
  for (const [what, wanted, aim] of variants) {
    const { ours, theirs } = await compared(wanted, USUAL);
    const against = { what: 'one policy that blocks, paranoia 1', value: theirs };
    rows.push({ what, unit, value: ours, against, ...(aim === undefined ? {} : { aim }) });
  }
  return [...rows, await memoryAfter(serve)];
}

async function memoryAfter(serve: (wanted: WafWanted | null) => Promise<{ readonly pid: number }>): Promise<Row> {
  const { pid } = await serve(USUAL);
  await pause(2000);
  const before = await memoryOf(pid);
  for (let change = 1; change <= RELOADS; change++) await serve({ ...USUAL, change });
  await pause(2000); // the last of the processes before have ended
  const value = await memoryOf(pid);
  const against = { what: 'before', value: before };
  return { what: `memory of nginx after ${RELOADS} reloads`, unit: 'MB', value, against, aim: '≤ 1.1' };
}

interface ByHand {
  readonly folder: string;
  readonly cert_file: string;
  readonly key_file: string;
}

/** What a person writes who follows the handbook of ModSecurity. */
function byHand({ folder, cert_file, key_file }: ByHand): string {
  const rules = `${folder}/rules.conf`;
  writeFileSync(
    rules,
    `SecRuleEngine On
SecRequestBodyAccess On
SecRequestBodyLimit 13107200
SecRequestBodyNoFilesLimit 131072
SecResponseBodyAccess Off
SecTmpDir /tmp/
SecDataDir /tmp/
SecPcreMatchLimit 100000
SecPcreMatchLimitRecursion 100000
SecAuditEngine RelevantOnly
SecAuditLogRelevantStatus "^(?:5|4(?!04))"
SecAuditLogParts ABHZ
SecAuditLogType Serial
SecAuditLog ${folder}/audit.log
SecArgumentSeparator &
SecCookieFormat 0
SecUnicodeMapFile /etc/nginx/unicode.mapping 20127
SecDefaultAction "phase:1,log,auditlog,pass"
SecDefaultAction "phase:2,log,auditlog,pass"
SecAction "id:900990,phase:1,nolog,pass,t:none,setvar:tx.crs_setup_version=334"
${globSync(RULES)
  .sort()
  .map((path) => `Include ${path}`)
  .join('\n')}
`,
  );
  return `access_log ${folder}/access.log;
server_tokens off;
modsecurity on;
modsecurity_rules_file ${rules};
upstream service { server 127.0.0.1:${SERVICE_PORT}; keepalive 64; }
server {
  listen ${BY_HAND_PORT} ssl http2;
  server_name ${HOST};
  ssl_certificate ${cert_file};
  ssl_certificate_key ${key_file};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:tls:16m;
  location / {
    proxy_pass http://service;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Request-Id $request_id;
  }
}`;
}
