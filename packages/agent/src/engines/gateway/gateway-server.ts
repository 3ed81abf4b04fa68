import { setTimeout as pause } from 'node:timers/promises';
import type { IngressAssignment, Observed, TrafficCount, TrafficObserved, WafObserved } from '@meshwork/contract';
import { InTurn } from '../../host/in-turn.ts';
import { messageOf } from '../../message-of.ts';
import { refusedByLists, unchecked } from './client-trust.ts';
import { DrainProgress } from './drain-progress.ts';
import type { CertificatesInUse } from './gateway-certificates.ts';
import { GATEWAY_FILES, luaFile } from './gateway-files.ts';
import { NOT_INSTALLED } from './gateway-folder.ts';
import type { GatewayServerParts, WantedGateway } from './gateway-server-parts.ts';
import { namedByContent } from './ingress-files.ts';
import { spokenToBlindly } from './ingress-problems.ts';
import { DRAIN_GRACE_S, type LiveState, liveState } from './live-state.ts';
import { LUA_FILES } from './lua/program.ts';
import { type NginxConfig, nginxConfig } from './nginx-config.ts';
import { hasModules, hostLimits } from './nginx-host.ts';
import { observedIngresses } from './observed-ingresses.ts';
import { servable } from './servable.ts';
import { certificatesByHost } from './server-blocks.ts';
import type { PreparedWaf } from './waf/gateway-waf.ts';

interface Serving extends WantedGateway {
  /** Without what cannot be served here. */
  readonly served: readonly IngressAssignment[];
  /** Why an ingress is not served, or not as it should be, by its id. */
  readonly problems: ReadonlyMap<string, string>;
  readonly config: NginxConfig;
  readonly waf: PreparedWaf;
  readonly certificates: CertificatesInUse;
  readonly draining_since: ReadonlyMap<string, number>;
}

/** Ours: nodes that answer do so within milliseconds. The others get requests once they have. */
const FIRST_CHECKS_WITHIN_MS = 2500;
/** nginx as the gateway of the mesh: has it serve what is wanted, sends it what changes meanwhile, and proves both. */
export class GatewayServer {
  readonly #parts: GatewayServerParts;
  readonly #turns = new InTurn();
  #serving: Serving | undefined;
  /** Whether nginx was last found to serve it. */
  #isUp = false;
  #pushing = false;
  /** Ingresses that drain without a connection left, when they were last looked at. */
  #drained = '';
  readonly #drains: DrainProgress;

  constructor(parts: GatewayServerParts) {
    this.#parts = parts;
    const { control, streams, deadlines, waf, log } = parts;
    this.#drains = new DrainProgress({
      control,
      streams,
      deadlines,
      section: () => this.#serving?.section,
      inTurn: (work) => this.#turns.take(work),
      order: () => this.#push(),
      counted: (cuts) => {
        waf.heardOf(cuts);
        parts.traffic.heardOf(cuts);
      },
      ended: () => parts.news(),
      failed: (error) => log.warn(`nginx has not ended all it should: ${messageOf(error)}`),
    });
  }

  get generation(): string | undefined {
    return this.#serving?.config.generation;
  }

  /** What nginx serves. Empty: nothing. */
  get served(): readonly IngressAssignment[] {
    return this.#serving?.served ?? [];
  }

  /** Rejects when nginx cannot serve it. What is wrong with one ingress alone is in `observed`, and the others are served. */
  serve(wanted: WantedGateway): Promise<void> {
    return this.#turns.take(() => this.#serve(wanted));
  }

  async #serve({ section, ca, lists, policies = [], given = [] }: WantedGateway): Promise<void> {
    const { folder, config, files, streams, deadlines, identities, certificates, ports, checks } = this.#parts;
    if (!(await hasModules())) throw new Error(NOT_INSTALLED); // nginx would say so with a path, and without a remedy
    const blind = unchecked(section, { ca, lists });
    const prepared = await certificates.prepare(section, given, blind);
    const certified = new Set(prepared.pems.keys());
    const { served, problems: left_out } = await servable(section, this.#parts);
    const limits = await hostLimits();
    await folder.prepare();
    const waf = await this.#parts.waf.prepare(served, policies);
    const { input } = waf;
    await this.#parts.traffic.prepare(served);
    const wanted = nginxConfig({
      folder: folder.path,
      section: served,
      certified,
      ca,
      lists,
      ...ports,
      ...limits,
      waf: input,
    });
    // Until the new one serves, the old one needs its nodes too.
    checks.follow([...(this.#serving?.section ?? []), ...section]);
    for (const [name, text] of Object.entries(LUA_FILES)) await folder.write(luaFile(name), text);
    await streams.writeProgram();
    for (const [name, text] of namedByContent({ ca, lists })) await folder.write(name, text);
    await files.writeCertificates(prepared.pems);
    await files.writePages(section);
    const draining_since = await files.writeDrains(section);
    await deadlines.follow(section);
    await Promise.race([checks.firstRound(), pause(FIRST_CHECKS_WITHIN_MS)]);
    const problemsWith = (found: CertificatesInUse) =>
      new Map([...spokenToBlindly(section, ca), ...found.problems, ...waf.problems, ...left_out]);
    const problems = problemsWith(prepared);
    const planned = { section, served, problems, ca, lists, config: wanted, waf, draining_since };
    const next = { ...planned, certificates: prepared };
    await folder.write(GATEWAY_FILES.live, JSON.stringify(this.#liveOf(next)));
    await identities.write();
    if (this.#serving !== undefined) await this.#pushIdentities(); // before what asks for them is served
    // Those that are served already go where they went until the new configuration serves.
    const known = new Set(this.#serving?.section.map(({ id }) => id));
    const ended = deadlines.orders(section);
    await streams.write({ ...next, ended, health: checks.health() }, (id) => !known.has(id));
    await this.#proving(() => config.serve(wanted));
    this.#serving = next;
    this.#isUp = true;
    await identities.push();
    await this.#push(); // with it, workers look at their certificates again
    const shown = await certificates.prove(served, prepared, () => this.#push());
    this.#serving = { ...next, certificates: shown, problems: problemsWith(shown) };
    await this.#drains.count();
    checks.follow(section);
    await files.sweep({ ...next, pems: shown.pems });
    await streams.sweep(section);
    await this.#parts.waf.serves(waf);
    await this.#parts.traffic.serves(served);
    await this.#parts.challenges.serves(served);
    this.#drains.goOn();
  }

  /** What failed may have left the last good one in place, and may not. */
  async #proving(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#isUp &&= this.#serving !== undefined && (await this.#parts.config.fault(this.#serving.config)) === null;
      throw error;
    }
  }

  /** nginx has ended without being asked to. */
  lost(): void {
    this.#isUp = false;
  }

  #liveOf({ section, draining_since, certificates: { pems } }: Omit<Serving, 'served' | 'problems'>): LiveState {
    const http = section.filter(({ kind }) => kind === 'http');
    const { checks, deadlines } = this.#parts;
    const [ended, certificates] = [deadlines.orders(section), certificatesByHost(section, pems)];
    return liveState({ section: http, health: checks.health(), draining_since, ended, certificates });
  }

  async #push(): Promise<void> {
    if (this.#serving === undefined) return;
    const { folder, control, streams, deadlines, checks } = this.#parts;
    const live = this.#liveOf(this.#serving);
    const ended = deadlines.orders(this.#serving.section);
    await streams.write({ ...this.#serving, ended, health: checks.health() });
    await folder.write(GATEWAY_FILES.live, JSON.stringify(live));
    await control.put(live);
  }

  /** Who visitors from the mesh are now. Never rejects: what nginx could not be sent, `look` sends again. */
  async identify(text: string): Promise<void> {
    this.#parts.identities.want(text);
    if (this.#serving !== undefined) await this.#pushIdentities();
  }

  async #pushIdentities(): Promise<void> {
    try {
      await this.#parts.identities.push('if changed');
    } catch (error) {
      this.#parts.log.warn(`nginx does not know who visitors are now: ${messageOf(error)}`);
    }
  }

  /** A node answers, or does not any more. Several such changes at once are sent together. */
  healthChanged(): void {
    if (this.#pushing) return;
    this.#pushing = true;
    const pushed = this.#turns.take(async () => {
      this.#pushing = false;
      await this.#push();
    });
    // If nginx is gone, the comparison finds that out, and it is started with what is known then.
    pushed.catch((error: unknown) => this.#parts.log.warn(`nginx goes on with what it has: ${messageOf(error)}`));
  }

  /**
   * Counts what is open, and ends workers of earlier configurations of which there are too many. Answers whether an ingress that
   * drains has come further.
   */
  async look(): Promise<boolean> {
    if (this.#serving === undefined) return false;
    await this.#parts.identities.push('if changed');
    await this.#drains.count();
    await this.#parts.certificates.look(this.#serving.served, this.#serving.certificates.pems);
    await this.#parts.process.endOldest();
    this.#drains.goOn(1);
    if (this.#serving.section.some(spreadsByCount)) this.healthChanged();
    const before = this.#drained;
    this.#drained = this.observed()
      .flatMap(({ id, refuses, connections }) => (refuses === true && connections === 0 ? [id] : []))
      .join();
    return this.#drained !== before;
  }

  /** nginx says that one of its workers was killed. It starts another one by itself. */
  workerKilled(): void {
    const counted = this.#turns.take(async () => {
      if (this.#serving !== undefined) await this.#drains.count();
    });
    counted.catch((error: unknown) => this.#parts.log.warn(`nginx is asked again later: ${messageOf(error)}`));
  }

  /** Whether an ingress that had no place can be served now: another program has left its port. */
  async hasMorePlaces(): Promise<boolean> {
    if (this.#serving === undefined) return false;
    const { section, served } = this.#serving;
    return served.length < section.length && (await servable(section, this.#parts)).served.length > served.length;
  }

  /** Those that are served or should be, and those that still have connections. */
  observed(): NonNullable<Observed['ingress']> {
    if (this.#serving === undefined || !this.#isUp) return [];
    const { problems, section, served } = this.#serving;
    const clients = { now_ms: this.#parts.now(), own_chain: this.#parts.own_chain() };
    return observedIngresses({
      served,
      problems: new Map([...refusedByLists(section, this.#serving, clients), ...problems]),
      open: this.#drains.open,
      refuses: (ingress) => this.#refuses(ingress),
      certificateOf: (ingress) => this.#parts.certificates.shownFor(ingress),
      deadlineOf: (ingress) => this.#deadlineOf(ingress),
      upstreamsOf: (ingress) => this.#parts.checks.ofIngress(ingress),
    });
  }

  /** Undefined: nothing is inspected. */
  observedWaf(): WafObserved | undefined {
    return this.#parts.waf.observed();
  }

  /** Undefined: nothing is counted. */
  observedTraffic(extent: 'changes' | 'everything'): TrafficObserved | undefined {
    return this.#parts.traffic.observed(extent);
  }

  get requests(): readonly TrafficCount[] {
    return this.#parts.traffic.counts;
  }

  trafficReported(traffic: TrafficObserved): void {
    this.#parts.traffic.reported(traffic);
  }

  /** Why policies are not in effect as they should be, in words. Undefined: they are. */
  get wafProblem(): string | undefined {
    return this.#serving?.waf.refused;
  }

  /** Why given certificates are not in use as they should be, in words. Undefined: they are. */
  get givenProblem(): string | undefined {
    const faults = this.#serving?.certificates.faults ?? [];
    return faults.length === 0 ? undefined : faults.join('; ');
  }

  #deadlineOf(ingress: string): { readonly deadline?: string; readonly cut?: number } {
    const deadline = this.#parts.deadlines.of(ingress);
    return deadline === undefined ? {} : { deadline: deadline.at, cut: deadline.cut };
  }

  /** A second later than nginx begins to: it rounds. */
  #refuses(ingress: string): boolean {
    if (this.#parts.deadlines.of(ingress)?.has_come === true) return true;
    const since = this.#serving?.draining_since.get(ingress);
    return since !== undefined && this.#parts.now() / 1000 - since > DRAIN_GRACE_S + 1;
  }

  /** How what runs differs from what was last served, in words. Null: it does not. */
  async fault(): Promise<string | null> {
    if (this.#serving === undefined) return null;
    const { folder, config, files, streams } = this.#parts;
    const { section } = this.#serving;
    const found = await config.fault(this.#serving.config);
    this.#isUp = found === null;
    const changed =
      found ??
      (await files.certificateFault(this.#serving.certificates.pems)) ??
      (await files.pageFault(section)) ??
      (await streams.fault()) ??
      (await this.#parts.identities.fault()) ??
      (await this.#parts.waf.fault());
    if (changed !== null) return changed;
    const written = Object.entries(LUA_FILES).map(([name, text]) => [luaFile(name), text] as const);
    for (const [name, text] of [...written, ...namedByContent(this.#serving)]) {
      if ((await folder.read(name)) !== text) return `${folder.file(name)} was changed`;
    }
    return null;
  }

  /** Ends it, and leaves nothing. The folder is made first and goes last: without it there is nothing, as on most nodes. */
  remove(): Promise<void> {
    return this.#turns.take(async () => {
      const { folder, process, checks, streams, deadlines } = this.#parts;
      this.#serving = undefined;
      this.#drains.stop();
      streams.forget();
      deadlines.forget();
      this.#isUp = false;
      this.#parts.certificates.forget();
      checks.stop();
      this.#parts.waf.stop();
      this.#parts.traffic.forget();
      await this.#parts.challenges.stop();
      if (!(await folder.isThere())) return;
      await process.end();
      await this.#parts.waf.read(); // what it found to its end
      await folder.remove();
    });
  }

  async diagnose() {
    if (this.#serving === undefined) return null;
    const { process, nginx_log, checks } = this.#parts;
    const { section, config, draining_since } = this.#serving;
    return {
      generation: config.generation,
      process: (await process.pid()) ?? null,
      hostnames: section.map(({ hostname }) => hostname),
      draining: [...draining_since.keys()],
      open: Object.fromEntries(this.#drains.open),
      upstreams: [...checks.health().values()].slice(0, SHOWN_UPSTREAMS),
      complaints: nginx_log.complaints,
    };
  }
}

/** Where that is done by Lua, it counts itself. */
function spreadsByCount({ kind, routes }: IngressAssignment): boolean {
  return (kind === 'tcp' || kind === 'tls') && routes.some(({ balance }) => balance === 'least_connections');
}

/** Of the diagnosis, which is bounded. */
const SHOWN_UPSTREAMS = 100;
