import type { Applied, AppliedSection, ForeignRule, Observed, RelayProof, Repair, Report } from '@meshwork/contract';
import { utc } from '@meshwork/contract/vocabulary';
import type { EngineHealth, Heard, HeardPeer, OpenEngine, PlanInput } from '../engines/engine.ts';
import { InTurn } from '../host/in-turn.ts';
import type { NetlinkProtocol } from '../host/netlink-child.ts';
import { messageOf } from '../message-of.ts';
import { NO_GUARD, type PartGuard } from '../rollback/guarded-part.ts';
import type { HeldView } from '../view/held-view.ts';
import { Contention } from './contention.ts';
import type { DataPlane } from './data-plane.ts';
import { diagnosis } from './diagnosis.ts';
import { EngineStates } from './engine-states.ts';
import { ForeignRules } from './foreign-rules.ts';
import { telemetryOf } from './telemetry.ts';
import { refuseUncarried } from './uncarried.ts';

interface HostDataPlaneOptions {
  /** In the order in which a section is put into effect. */
  readonly engines: readonly OpenEngine[];
  /** Addresses of the coordinators, as they are known now: never reached through the mesh. */
  readonly keptOut: () => readonly string[];
  /** Holds back what would cut the node off. Absent: nothing is held back. */
  readonly guard?: PartGuard | undefined;
  /** What was last measured to relays. */
  readonly relays: () => readonly { readonly name: string; readonly rtt_ms: number }[];
  /** Which relays were found to carry packets, and which not. Absent: none is tried. */
  readonly proofs?: (() => readonly RelayProof[]) | undefined;
  readonly now: () => number;
}

/** What became of an engine, for metrics and the log: see `health/`. */
interface PlaneObserver {
  /** `error`: it could not be made what it should be. */
  applied?(engine: string, took_ms: number, error: unknown): void;
  repaired?(section: AppliedSection, found: string): void;
}

/** The contract's limit on the words about a repair. */
const MAX_FOUND_LENGTH = 200;
/** Ours. */
const TELEMETRY_EVERY_MS = 60_000;
/** What an agent says that has no engine for these. One that has says otherwise. */
const UNUSED: Observed = { relay: null, ingress: [] };

/**
 * Drives the engines of a host. A section concerns several engines, and an engine several sections, so each is planned from
 * the whole view and asked for the smallest difference. Knows no engine by name: see `engines/engine.ts`.
 */
export class HostDataPlane implements DataPlane {
  readonly #options: HostDataPlaneOptions;
  readonly #observer: PlaneObserver;
  readonly #engines: readonly OpenEngine[];
  readonly #turns = new InTurn();
  readonly #guard: PartGuard;
  readonly #states = new EngineStates();
  /** Sections that were last applied with an error. They are tried again also while no coordinator asks for it. */
  readonly #unsettled = new Set<AppliedSection>();
  readonly #contention = new Contention<OpenEngine>();
  readonly #foreign = new ForeignRules<OpenEngine>();
  /** Kept to be looked at; never to be applied later. */
  #view: HeldView | undefined;
  #repairs: Repair[] = [];
  #telemetryAt = Number.NEGATIVE_INFINITY;
  /** What engines still do about the last answer. */
  #heeded: Promise<unknown> = Promise.resolve();
  #listener: (drifted: readonly AppliedSection[]) => void = () => undefined;

  constructor(options: HostDataPlaneOptions, observer: PlaneObserver = {}) {
    this.#options = options;
    this.#engines = options.engines;
    this.#guard = options.guard ?? NO_GUARD;
    this.#observer = observer;
  }

  get engines(): readonly OpenEngine[] {
    return this.#engines;
  }

  /** Rules of other programs that may concern packets of the mesh, as they were last reported. */
  get foreign(): readonly ForeignRule[] {
    return this.#foreign.all;
  }

  /** How the engines do, taken together. */
  get health(): Omit<EngineHealth, 'check'> & { readonly checks: readonly NonNullable<EngineHealth['check']>[] } {
    const each = this.#engines.map((engine) => engine.health?.() ?? {});
    const checks = each.map(({ check }) => check).filter((check) => check !== undefined);
    return { ...Object.assign({}, ...each), checks };
  }

  async apply(section: AppliedSection, view: HeldView): Promise<Applied> {
    this.#view = view;
    const applied = { revision: view.revisionOf(section), digest: view.digestOf(section) };
    const work = this.#planFor(section, view); // before the first `await`: the view goes on living
    const shortfall = this.#guard.shortfall(section);
    return await this.#turns.take(async () => {
      await this.#heeded;
      this.#unsettled.add(section);
      this.#states.applying(section);
      const found = { ...applied, ...shortfall, ...(await this.#reporting(work)) };
      if (found.error === undefined) this.#unsettled.delete(section);
      return found;
    });
  }

  /** What an engine has to say anew after its work, done or failed, does not wait for the next heartbeat. */
  async #reporting<T>(work: () => Promise<T>): Promise<T> {
    const before = JSON.stringify(this.report());
    try {
      return await work();
    } finally {
      if (JSON.stringify(this.report()) !== before) this.#listener([]);
    }
  }

  report(): Report {
    return Object.assign({}, ...this.#engines.map((engine) => engine.report?.()));
  }

  #planFor(section: AppliedSection, view: HeldView): () => Promise<Partial<Applied>> {
    const input = this.#inputFor(view);
    const concerned = this.#engines.filter(({ traits }) => traits.sections.includes(section));
    if (concerned.length === 0) refuseUncarried(section, view);
    const steps = concerned.map((engine) => ({ engine, work: engine.plan(section, input) }));
    return async () => {
      const found: Partial<Applied> = {};
      for (const { engine, work } of steps) {
        if (work !== undefined) Object.assign(found, await this.#do(engine, work));
      }
      return { ...this.#contested(section), ...found };
    };
  }

  /** What another program keeps taking away is not claimed to be in effect. */
  #contested(section: AppliedSection): Partial<Applied> {
    let found: Partial<Applied> = {};
    for (const engine of this.#engines.filter(({ traits }) => traits.on_drift.includes(section))) {
      const error = this.#contention.over(engine, this.#options.now());
      if (error !== undefined) found = { error: `${engine.traits.name}: ${error}` };
    }
    return found;
  }

  observe(extent: 'changes' | 'everything'): Observed {
    const all = extent === 'everything';
    const repairs = this.#repairs.splice(0);
    const now = this.#options.now();
    const telling = all || Math.abs(now - this.#telemetryAt) >= TELEMETRY_EVERY_MS; // also when the clock was set back
    if (telling) this.#telemetryAt = now;
    const observed = this.#engines.map((engine) => engine.observe?.(extent) ?? {});
    for (const [index, engine] of this.#engines.entries()) this.#foreign.note(engine, observed[index]?.foreign);
    return Object.assign(
      { ...UNUSED, relays: [...this.#options.relays()], relay_proofs: [...(this.#options.proofs?.() ?? [])] },
      ...observed,
      this.#foreign.together(),
      repairs.length === 0 ? {} : { repairs },
      telling ? { telemetry: telemetryOf(this.#engines) } : {},
    );
  }

  reported(observed: Observed): void {
    for (const engine of this.#engines) engine.reported?.(observed);
  }

  rekey(operation: string): Promise<string> {
    const engine = this.#engines.find((one) => one.rekey !== undefined);
    const replaced = this.#turns.take(async () => {
      if (engine?.rekey === undefined) throw new Error('this agent has no engine that uses a key');
      return await engine.rekey(operation);
    });
    return replaced.catch((error: unknown) => {
      this.reapply(['self']); // it may have come into use all the same, and only the node knows it
      throw error;
    });
  }

  /** Before an agent goes on with the view of an earlier start. */
  resume(): Promise<void> {
    return this.#turns.take(async () => {
      for (const engine of this.#engines) await engine.resume?.();
    });
  }

  diagnose(): Promise<string> {
    return this.#turns.take(() => diagnosis(this.#engines, this.#view && this.#inputFor(this.#view)));
  }

  onChange(listener: (drifted: readonly AppliedSection[]) => void): void {
    this.#listener = listener;
  }

  /** Something that these sections depend on is not any more what it was. */
  reapply(sections: readonly AppliedSection[]): void {
    for (const engine of this.#engines) {
      if (engine.traits.sections.some((section) => sections.includes(section))) this.#states.distrust(engine);
    }
    this.#listener(sections);
  }

  /**
   * Has the engines see what goes on by itself. Called now and then. Not in turn with what is being applied: each engine
   * keeps its own order, and a change of one need not wait until another has looked.
   */
  async look(): Promise<void> {
    const view = this.#view;
    if (view === undefined) return;
    const sound = this.#engines.filter((engine) => this.#states.isSound(engine));
    const looked = await Promise.allSettled(sound.map(async (engine) => (await engine.look?.(view)) ?? false));
    if (looked.some((one) => one.status === 'fulfilled' && one.value)) this.#listener([]);
    for (const one of looked) if (one.status === 'rejected') throw one.reason;
  }

  /** Exchanges packets with these peers right now. Not in turn: what is being applied takes its own time. */
  async hear(peers: readonly string[], within_ms: number): Promise<readonly HeardPeer[]> {
    const engine = this.#engines.find((one) => one.hear !== undefined);
    if (engine?.hear === undefined) throw new Error('this agent has no engine that carries peers');
    return await engine.hear(peers, within_ms);
  }

  /** How a section may not be in effect right now, in words. Undefined: its engines are as they were made. */
  doubt(section: AppliedSection): string | undefined {
    const concerned = this.#engines.filter(({ traits }) => traits.sections.includes(section));
    return concerned.map((engine) => this.#states.doubt(engine)).find((doubt) => doubt !== undefined);
  }

  /**
   * Finds what another program has changed, and has it put right. Called now and then. `unheard`: only where no announcement of
   * the kernel would say so.
   */
  async check(extent: 'everything' | 'unheard' = 'everything'): Promise<void> {
    for (const engine of this.#engines) {
      if (extent === 'unheard' && engine.announced !== undefined) continue;
      await this.compare(engine);
      if (extent === 'everything') await this.survey(engine);
    }
  }

  /**
   * Compares what one engine made with what it should be. What cannot be found out is not claimed to be in effect. `busy`: it is being
   * put back, and has to be compared once that is done.
   */
  async compare(engine: OpenEngine): Promise<'done' | 'busy'> {
    const found = await this.#turns.take(async () => {
      if (this.#states.isMending(engine)) return 'busy' as const;
      return this.#states.isSound(engine) ? { drift: await this.#driftOf(engine) } : { drift: null };
    });
    if (found === 'busy') return found;
    const again = engine.traits.on_drift.filter((section) => this.#unsettled.has(section));
    if (found.drift !== null) this.#repair(engine, found.drift);
    else if (again.length > 0) this.#listener(again);
    return 'done';
  }

  async #driftOf(engine: OpenEngine): Promise<string | null> {
    try {
      return await engine.drift();
    } catch (error) {
      this.#states.distrust(engine, `it cannot be read back: ${messageOf(error)}`);
      for (const section of engine.traits.on_drift) this.#unsettled.add(section);
      this.#observer.applied?.(engine.traits.name, 0, error);
      return null;
    }
  }

  /** Another program changed what an engine made, for certain. */
  async putBack(engine: OpenEngine, found: string): Promise<'done' | 'busy'> {
    const isSound = await this.#turns.take(async () => this.#states.isSound(engine));
    if (!isSound || this.#states.isMending(engine)) return await this.compare(engine);
    this.#repair(engine, found);
    return 'done';
  }

  /** Resolves when all that is being done now is done. */
  settled(): Promise<void> {
    return this.#turns.take(async () => undefined);
  }

  /** What the engines make of something that the kernel announced. */
  announced(protocol: NetlinkProtocol, datagram: Buffer | null): readonly (readonly [OpenEngine, Heard])[] {
    return this.#engines.flatMap((engine) =>
      (engine.announced?.(protocol, datagram) ?? []).map((heard) => [engine, heard] as const),
    );
  }

  async survey(engine: OpenEngine): Promise<void> {
    if (await engine.survey?.()) this.#listener([]);
  }

  /** Takes in what is no section to apply. */
  heed(view: HeldView): void {
    for (const engine of this.#engines) {
      const heeded = engine.heed?.(view);
      if (heeded !== undefined) this.#heeded = Promise.all([this.#heeded, heeded]);
    }
  }

  /** There is something to report that no section is about, such as a relay that was found to carry packets. */
  news(): void {
    this.#listener([]);
  }

  /** An engine has lost what it made, without being asked to. */
  lost(name: string, found: string): void {
    const engine = this.#engines.find(({ traits }) => traits.name === name);
    if (engine !== undefined) this.#repair(engine, found);
  }

  #repair(engine: OpenEngine, found: string): void {
    const { on_drift, mesh_interface } = engine.traits;
    const [section] = on_drift;
    this.#states.distrust(engine, `another program changed it, and it is being put back: ${found}`);
    if (mesh_interface === 'makes') {
      for (const other of this.#engines) if (other.traits.mesh_interface === 'uses') this.#states.distrust(other);
    }
    this.#repairs.push({ section, at: utc(this.#options.now()), found: found.slice(0, MAX_FOUND_LENGTH) });
    this.#contention.repaired(engine, found, this.#options.now());
    this.#observer.repaired?.(section, found);
    this.#states.mend(
      engine,
      on_drift.filter((one) => (this.#view?.revisionOf(one) ?? 0) > 0),
    );
    this.#listener(on_drift);
  }

  #inputFor(view: HeldView): PlanInput {
    return { view, guard: this.#guard, kept_out: this.#options.keptOut() };
  }

  async #do<T>(engine: OpenEngine, work: () => Promise<T>): Promise<T> {
    const { name } = engine.traits;
    const from = performance.now();
    try {
      const done = await work();
      this.#states.made(engine);
      this.#observer.applied?.(name, performance.now() - from, undefined);
      return done;
    } catch (error) {
      this.#states.distrust(engine, `it could not be applied: ${messageOf(error)}`);
      this.#observer.applied?.(name, performance.now() - from, error);
      throw error;
    }
  }
}
