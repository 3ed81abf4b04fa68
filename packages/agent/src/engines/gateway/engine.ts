/**
 * The gateway that the node is: nginx, which takes requests from outside for the ingresses that are placed on it, and passes them
 * on to nodes of the mesh.
 *
 *   gateway-engine.ts   what is wanted, and what is reported
 *   gateway-server.ts   has nginx serve it, and sends what changes meanwhile
 *   nginx-config.ts     its configuration: server-blocks.ts, locations.ts and what they import, and nginx-text.ts for all syntax
 *   serving-config.ts   has it tried, loaded and proven       nginx-process.ts   the process, which outlives the agent
 *   lua/program.ts      chooses nodes inside nginx            control.ts         the private socket to it
 *   live-state.ts       what it is sent without a reload      upstream-checks.ts which nodes answer
 *   gateway-keys.ts     the key of its certificates           ingress-files.ts   files that it reads while it runs
 *   gateway-certificates.ts  what clients are shown, also of given-certificates.ts, and by shown-certificates.ts what they get
 *   client-certificates.ts  what clients have to show, checked against client-trust.ts and read by lua/certificates.ts
 *   gateway-folder.ts   what is shared with it                nginx-log.ts       what it says of itself
 *   stream-blocks.ts    connections that nginx does not look into, with stream-groups.ts and served-streams.ts
 *   listeners.ts        where it listens, and whose word on the address of a client counts there, with front-servers.ts
 *   njs/program.ts      chooses their nodes inside nginx      stream-files.ts    where they go, and how many there are
 *   drain-deadlines.ts  by when drains end what is left, which lua/cuts.ts does; drain-progress.ts how far they are
 *   visitor-identity.ts who asks, by identities.ts and lua/identity.ts
 *   gateway-front.ts    how clients in the mesh find it
 *   proof-place.ts      where nginx proves itself to those outside, by lua/proofs.ts
 *   challenges/shown-challenges.ts  what authorities outside find before they give certificates
 *   traffic/gateway-traffic.ts  how many requests were answered, and how, of traffic/access-log.ts
 *   waf/gateway-waf.ts  which requests are inspected, by which policies, and what was found
 */
import { makeChallengeCertificate } from '../../certificate-requests/make-challenge-certificate.ts';
import { makeRequest } from '../../certificate-requests/make-request.ts';
import type { AgentLog } from '../../host/log.ts';
import { RememberedFolder } from '../../host/remembered-folder.ts';
import { CommandError, type RunCommand, runCommand } from '../../host/run-command.ts';
import type { Engine, EngineHost } from '../engine.ts';
import { AnswerServer } from './challenges/answer-server.ts';
import { ShownChallenges } from './challenges/shown-challenges.ts';
import { GatewayControl } from './control.ts';
import { DrainDeadlines } from './drain-deadlines.ts';
import { GatewayCertificates } from './gateway-certificates.ts';
import { GatewayEngine, type KnownMesh, TRAITS } from './gateway-engine.ts';
import { GATEWAY_FILES } from './gateway-files.ts';
import { GatewayFolder } from './gateway-folder.ts';
import { frontOf } from './gateway-front.ts';
import { GatewayKeys } from './gateway-keys.ts';
import { GatewayServer } from './gateway-server.ts';
import { Identities } from './identities.ts';
import { IngressFiles } from './ingress-files.ts';
import { NginxLog } from './nginx-log.ts';
import { NginxProcess } from './nginx-process.ts';
import { ServingConfig } from './serving-config.ts';
import { StreamFiles } from './stream-files.ts';
import { GatewayTraffic } from './traffic/gateway-traffic.ts';
import { UpstreamChecks } from './upstream-checks.ts';
import { GatewayWaf } from './waf/gateway-waf.ts';
import { TestBench } from './waf/test-bench.ts';
import { WafOfHost } from './waf/waf-of-host.ts';

export const gateway: Engine = {
  ...TRAITS,
  lacks: async () => [], // only a node that is to be a gateway needs nginx, and then its section says so
  open: (host) => openGateway(host),
  remove: async (folder) => {
    const remembered = rememberedIn(folder);
    const path = await remembered.read();
    if (path !== undefined) await removeFrom(path);
    await keysIn(folder).remove();
    await remembered.forget();
  },
};

type Host = Pick<EngineHost, 'folder' | 'gateway' | 'log' | 'now' | 'lost' | 'news' | 'reapply'>;

/** `run` is for tests. */
export async function openGateway(host: Host, run: RunCommand = runCommand): Promise<GatewayEngine> {
  const { folder, gateway: settings, log, now, lost, news, reapply } = host;
  const remembered = rememberedIn(folder);
  const before = await remembered.read();
  if (before !== undefined && before !== settings.folder) await removeFrom(before); // the setting is another one now
  await remembered.keep(settings.folder);
  const shared = new GatewayFolder(settings.folder);
  const nginx_log = new NginxLog(() => server.workerKilled());
  const nginx = new NginxProcess({ folder: shared, log: nginx_log, lost: () => ended(), run });
  const control = new GatewayControl(shared.file(GATEWAY_FILES.control));
  const keys = keysIn(folder, log, now);
  await keys.open();
  let mesh: KnownMesh = { ca: undefined, revocation_lists: [], networks: [], own_chain: undefined };
  const checks: UpstreamChecks = new UpstreamChecks({
    now,
    trust: () => mesh.ca,
    networks: () => mesh.networks,
    changed: () => {
      server.healthChanged();
      news();
    },
  });
  const waf = new GatewayWaf({
    folder: shared,
    ...settings.waf,
    run,
    now,
    warn: (problem) => log.warn(problem),
    news,
  });
  const bench = new TestBench({ folder, ...settings.waf });
  await bench.sweep();
  const files = new IngressFiles(shared, now);
  const challenges = new ShownChallenges({
    control,
    answers: new AnswerServer(shared),
    makeCertificate: makeChallengeCertificate,
    ports: settings,
    now,
    log,
  });
  const server: GatewayServer = new GatewayServer({
    folder: shared,
    process: nginx,
    config: new ServingConfig({ folder: shared, process: nginx, nginx_log, control, run }),
    files,
    streams: new StreamFiles(shared),
    deadlines: new DrainDeadlines(shared),
    identities: new Identities(shared, (text) => control.putIdentities(text)),
    certificates: new GatewayCertificates({ folder: shared, files, keys }),
    own_chain: () => mesh.own_chain,
    control,
    checks,
    nginx_log,
    waf,
    traffic: new GatewayTraffic({ folder: shared, now, run, warn: (problem) => log.warn(problem) }),
    challenges,
    ports: settings,
    log,
    now,
    news,
  });
  const ended = () => {
    server.lost();
    lost(TRAITS, 'nginx ended');
  };
  const learned = (known: KnownMesh) => {
    mesh = known;
  };
  const front = frontOf(settings);
  const of_host = new WafOfHost({ waf, bench, rules: settings.waf.rules, engine: () => modsecurityVersion(run) });
  const version = () => versionOf(run);
  return new GatewayEngine({ server, control, challenges, keys, version, waf: of_host, log, learned, reapply, front });
}

function rememberedIn(folder: string): RememberedFolder {
  return new RememberedFolder(folder, TRAITS.name);
}

function keysIn(folder: string, log?: AgentLog, now = Date.now): GatewayKeys {
  return new GatewayKeys({ folder, now, makeRequest, warn: (problem) => log?.warn(problem) });
}

async function removeFrom(path: string): Promise<void> {
  const shared = new GatewayFolder(path);
  await new NginxProcess({ folder: shared, log: new NginxLog(), lost: () => undefined }).end();
  await shared.remove();
}

/** `3.0.9`, of its package. Undefined: this is no Debian, or it is not installed. */
async function modsecurityVersion(run: RunCommand): Promise<string | undefined> {
  try {
    const text = await run('dpkg-query', ['--status', 'libmodsecurity3']);
    return /^Version: ([\w.]{1,20})/m.exec(text)?.[1];
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** `nginx version: nginx/1.22.1`. Undefined: it is not installed. */
async function versionOf(run: RunCommand): Promise<string | undefined> {
  try {
    return /nginx\/([\w.]{1,40})/.exec(await run('nginx', ['-v'], { from_stderr: true }))?.[1];
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
