/** A real nginx that a real gateway server runs on loopback, and services behind it that say who they are. */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { Agent, createServer, type IncomingHttpHeaders, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { AssignedTarget, IngressAssignment } from '@meshwork/contract';
import { makeChallengeCertificate } from '../src/certificate-requests/make-challenge-certificate.ts';
import { AnswerServer } from '../src/engines/gateway/challenges/answer-server.ts';
import { ShownChallenges } from '../src/engines/gateway/challenges/shown-challenges.ts';
import { GatewayControl } from '../src/engines/gateway/control.ts';
import { DrainDeadlines } from '../src/engines/gateway/drain-deadlines.ts';
import { GatewayCertificates } from '../src/engines/gateway/gateway-certificates.ts';
import { GATEWAY_FILES } from '../src/engines/gateway/gateway-files.ts';
import { GatewayFolder } from '../src/engines/gateway/gateway-folder.ts';
import { GatewayServer } from '../src/engines/gateway/gateway-server.ts';
import { Identities, identitiesText } from '../src/engines/gateway/identities.ts';
import { IngressFiles } from '../src/engines/gateway/ingress-files.ts';
import { NginxLog } from '../src/engines/gateway/nginx-log.ts';
import { NginxProcess } from '../src/engines/gateway/nginx-process.ts';
import { ServingConfig } from '../src/engines/gateway/serving-config.ts';
import { signInFacts } from '../src/engines/gateway/sign-in-facts.ts';
import { StreamFiles } from '../src/engines/gateway/stream-files.ts';
import { GatewayTraffic } from '../src/engines/gateway/traffic/gateway-traffic.ts';
import { UpstreamChecks } from '../src/engines/gateway/upstream-checks.ts';
import { GatewayWaf } from '../src/engines/gateway/waf/gateway-waf.ts';
import type { AgentLog } from '../src/host/log.ts';
import { runCommand } from '../src/host/run-command.ts';
import type { StartDaemon } from '../src/host/start-daemon.ts';
import { targetOf } from './ingress-section.ts';
import { newFolder } from './new-folder.ts';
import { certificate } from './tls-server.ts';

const SILENT: AgentLog = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

const POLL_MS = 10;

let scenes = 0;

/** Ours alone: below those that the kernel gives out, by the number of this process. */
function ownPorts() {
  const first = 10_000 + ((process.pid * 16 + scenes++ * 4) % 20_000);
  return { http_port: first, https_port: first + 1, stream_port: first + 2 };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** A service on loopback. */
export class Service {
  readonly server: Server;
  readonly requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];

  private constructor(name: string, listener?: RequestListener) {
    this.server = createServer((asked, answer) => {
      this.requests.push({ url: asked.url ?? '', headers: asked.headers });
      if (listener !== undefined) listener(asked, answer);
      else asked.resume().on('end', () => answer.end(name));
    });
  }

  static async start(name: string, listener?: RequestListener): Promise<Service> {
    const service = new Service(name, listener);
    service.server.listen(0, '127.0.0.1');
    await once(service.server, 'listening');
    return service;
  }

  target(number: number, over: Partial<AssignedTarget> = {}): AssignedTarget {
    return targetOf(number, { address: '127.0.0.1', port: (this.server.address() as AddressInfo).port, ...over });
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

interface SceneOptions {
  /** Networks of load balancers. */
  readonly proxy_protocol?: readonly string[];
  readonly max_old_workers?: number;
  readonly reload_every_ms?: number;
  readonly start?: StartDaemon;
  /** Where the rule set is. Absent: that of the package. */
  readonly waf_rules?: string;
  readonly countries?: string;
}

export async function gatewayScene(options: SceneOptions = {}) {
  const outside = await newFolder();
  await chmod(outside.path, 0o755); // nginx reads as another user
  const {
    proxy_protocol,
    waf_rules = '/usr/share/modsecurity-crs',
    countries,
    reload_every_ms,
    ...process_options
  } = options;
  const ports = ownPorts();
  const services: Service[] = [];
  const lost: string[] = [];
  const warnings: string[] = [];
  const pems = new Map<string, string>();
  const path = join(outside.path, 'gateway');
  let now_ahead_ms = 0;
  let uptime_ahead_s = 0;
  let boot = 'first';

  /** As an agent that was started anew has it. */
  const newServer = () => {
    const folder = new GatewayFolder(path);
    const nginx_log = new NginxLog(() => server.workerKilled());
    const nginx = new NginxProcess({ folder, log: nginx_log, lost: () => ended(), ...process_options });
    const control = new GatewayControl(folder.file(GATEWAY_FILES.control));
    const now = () => Date.now() + now_ahead_ms;
    const checks: UpstreamChecks = new UpstreamChecks({
      now,
      trust: () => undefined,
      networks: () => NETWORKS,
      changed: () => server.healthChanged(),
    });
    const waf = new GatewayWaf({
      folder,
      rules: waf_rules,
      countries,
      run: runCommand,
      now,
      warn: (problem) => warnings.push(problem),
      news: () => undefined,
    });
    const files = new IngressFiles(folder, now);
    const traffic = new GatewayTraffic({ folder, now, run: runCommand, warn: (problem) => warnings.push(problem) });
    const challenges = new ShownChallenges({
      control,
      answers: new AnswerServer(folder),
      makeCertificate: makeChallengeCertificate,
      ports: { ...ports, proxy_protocol },
      now,
      log: SILENT,
    });
    const server: GatewayServer = new GatewayServer({
      folder,
      process: nginx,
      config: new ServingConfig({ folder, process: nginx, nginx_log, control, run: runCommand, reload_every_ms }),
      files,
      streams: new StreamFiles(folder),
      deadlines: new DrainDeadlines(folder, () => ({ boot, seconds: performance.now() / 1000 + uptime_ahead_s })),
      identities: new Identities(folder, (text) => control.putIdentities(text)),
      certificates: new GatewayCertificates({ folder, files, keys: { pemFor: (chain) => pems.get(chain) } }),
      own_chain: () => undefined,
      control,
      checks,
      nginx_log,
      waf,
      traffic,
      challenges,
      ports: { ...ports, proxy_protocol },
      log: SILENT,
      now,
      news: () => undefined,
    });
    const ended = () => {
      server.lost();
      lost.push('nginx ended');
    };
    return { server, folder, nginx, nginx_log, control, checks, waf, traffic, challenges };
  };

  const first = newServer();
  const started = [first];
  return {
    ...first,
    ...ports,
    path,
    /** The folder around that of the gateway. */
    outside: outside.path,
    lost,
    /** What the WAF warns of. */
    warnings,
    /** What `pemFor` answers with, by chain. */
    pems,
    another: () => {
      const next = newServer();
      started.push(next);
      return next;
    },
    /** Those that take connections: all of them, as each is known by its title only a moment after it was started. */
    workers: async () => {
      for (;;) {
        const workers = await started.at(-1)?.nginx.workers();
        if (workers !== undefined && workers.length >= cpus().length) return workers;
        await pause(POLL_MS);
      }
    },
    /** By how much the clock of the agent is ahead. */
    setAhead: (ms: number) => {
      now_ahead_ms = ms;
    },
    /** By how much its host has been up for longer. */
    setUptimeAhead: (seconds: number) => {
      uptime_ahead_s = seconds;
    },
    /** As if the host was started anew. */
    setBoot: (name: string) => {
      boot = name;
    },
    /** A certificate that nginx can show, signed by itself. Its text stands for its chain. */
    certificate: async (hostname: string) => {
      const made = await certificate(outside.path, hostname, `DNS:${hostname}`);
      pems.set(made.cert, made.cert + made.key);
      return { ...made, chain: made.cert };
    },
    /** The certificate that a client of this name gets to see. */
    shownTo: async (hostname: string) => {
      const to = { host: '127.0.0.1', port: ports.https_port, servername: hostname, rejectUnauthorized: false };
      const socket = connect(to);
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return { fingerprint256 };
    },
    service: async (name: string, listener?: RequestListener) => {
      const service = await Service.start(name, listener);
      services.push(service);
      return service;
    },
    /** What tells who has signed in at these ingresses: an agent sends it before it serves them. */
    learn: (section: readonly IngressAssignment[]) =>
      first.server.identify(
        identitiesText({ self: undefined, peers: [], spiffe_prefix: null, sign_in: signInFacts(section) }),
      ),
    ask: (hostname: string, asked?: Asked) => ask(ports.http_port, hostname, asked),
    /** How often each service answered, over one connection and so from one worker of nginx: shares are exact there. */
    tally: async (hostname: string, times: number, asked?: (number: number) => Asked) => {
      const counts: Record<string, number> = {};
      using agent = new OneConnection();
      for (let number = 0; number < times; number += 1) {
        const { status, body } = await ask(ports.http_port, hostname, { agent, ...asked?.(number) });
        const name = status === 200 ? body : String(status);
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { checks, traffic } of started) {
        checks.stop();
        traffic.stop();
      }
      await started.at(-1)?.server.remove();
      for (const service of services) await service.stop();
      await outside[Symbol.asyncDispose]();
    },
  };
}

/** Kept between requests. */
class OneConnection extends Agent {
  constructor() {
    super({ keepAlive: true, maxSockets: 1 });
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

export type GatewayScene = Awaited<ReturnType<typeof gatewayScene>>;

const NETWORKS = ['127.0.0.0/8'];

async function ask(port: number, hostname: string, { path = '/', method, headers, body, agent }: Asked = {}) {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    ...(method === undefined ? {} : { method }),
    headers: { host: hostname, ...headers },
    agent: agent ?? false,
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { status: response.statusCode, headers: response.headers, body: text } as Answer;
}
