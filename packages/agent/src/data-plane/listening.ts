import { backOff, type SleepingClock } from '@meshwork/time';
import type { Heard, OpenEngine } from '../engines/engine.ts';
import { watchFile } from '../host/file-watch.ts';
import { listenOnce, type NetlinkListener, type NetlinkProtocol } from '../host/netlink-child.ts';
import { pause } from '../host/pause.ts';
import type { HostDataPlane } from './host-data-plane.ts';
import { WorkBudget } from './work-budget.ts';

/** Ours: two programs that fight take no more of the machine than this, however often one of them changes something. */
const REPAIRS = { share: 1 / 5, burst_ms: 1000 } as const;
/** Ours: other programs may change what is theirs as often as they like. Some do, a hundred times a second. */
const SURVEYS = { share: 1 / 50, burst_ms: 500 } as const;
/** Ours: changes come in bursts. */
const SURVEY_AFTER_MS = 100;
/** Ours: a program that writes a file in place takes several steps. To write it too meanwhile would mix both texts. */
const WRITTEN_WITHIN_MS = 50;
/** Ours: the least that a repair or a survey is taken to cost, since most of it happens in other processes. */
const LEAST_COST_MS = 20;
/** Ours: the listener is started again so soon after it ended, and doubling from there. */
const RESTART = { first_ms: 100, longest_ms: 60_000 } as const;

type Plane = Pick<HostDataPlane, 'engines' | 'announced' | 'compare' | 'putBack' | 'settled' | 'survey'>;

interface ListeningOptions {
  readonly plane: Plane;
  readonly clock: SleepingClock;
  readonly failed: (error: unknown) => void;
  /** Called with what engines are given: see `OpenEngine.announced`. */
  readonly heard?: ((protocol: NetlinkProtocol, datagram: Buffer | null) => void) | undefined;
  /** Runs until it fails or the signal aborts. Absent: on this host. */
  readonly listen?: ((listener: NetlinkListener, signal: AbortSignal) => Promise<void>) | undefined;
}

/** What was heard about an engine and is not seen to yet. */
interface Pending {
  readonly engine: OpenEngine;
  readonly repairs: WorkBudget;
  readonly surveys: WorkBudget;
  found: string | undefined;
  isDoubtful: boolean;
  isInterface: boolean;
  isForeign: boolean;
  isAround: boolean;
  isRepairing: boolean;
  isSurveying: boolean;
}

/**
 * Hears of changes on the host at the moment when they are made, from the kernel and of files, and has them put back. Many changes at once are seen to
 * together. `Watch` looks for what was not heard.
 */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #pending: readonly Pending[];
  #signal: AbortSignal = AbortSignal.abort();
  #hears = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
    const now = options.clock.now();
    this.#pending = options.plane.engines.map((engine) => ({
      engine,
      repairs: new WorkBudget(REPAIRS, now),
      surveys: new WorkBudget(SURVEYS, now),
      found: undefined,
      isDoubtful: false,
      isInterface: false,
      isForeign: false,
      isAround: false,
      isRepairing: false,
      isSurveying: false,
    }));
  }

  /** False: it was just started, or cannot be. Changes have to be looked for. */
  get hears(): boolean {
    return this.#hears;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, failed, listen = listenOnce } = this.#options;
    this.#signal = signal;
    this.#watchFiles(signal);
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await listen({ ...this.#listener, ready: () => this.#ready(() => (failures = 0)) }, signal);
      } catch (error) {
        failed(error);
      }
      this.#hears = false;
      await pause(clock, backOff(RESTART.first_ms, failures, RESTART.longest_ms), signal);
    }
  }

  #watchFiles(signal: AbortSignal): void {
    for (const { engine } of this.#pending) {
      const files = engine.shared_files ?? [];
      if (files.length === 0) continue;
      let quiet: NodeJS.Timeout | undefined;
      const changed = () => {
        clearTimeout(quiet);
        quiet = setTimeout(() => this.#note(engine, { kind: 'doubtful' }), WRITTEN_WITHIN_MS);
      };
      for (const path of files) watchFile({ path, changed, failed: this.#options.failed, signal });
      signal.addEventListener('abort', () => clearTimeout(quiet), { once: true });
      changed(); // whatever happened before it was watched
    }
  }

  readonly #listener: Omit<NetlinkListener, 'ready'> = {
    heard: (protocol, datagram) => {
      this.#options.heard?.(protocol, datagram);
      for (const [engine, heard] of this.#options.plane.announced(protocol, datagram)) this.#note(engine, heard);
    },
    missed: () => {
      for (const protocol of ['route', 'netfilter'] as const) {
        this.#options.heard?.(protocol, null);
        this.#options.plane.announced(protocol, null);
      }
      this.#doubtAll();
    },
  };

  #ready(began: () => void): void {
    this.#hears = true;
    began();
    this.#listener.missed(); // whatever happened before it listened
  }

  #doubtAll(): void {
    for (const { engine } of this.#pending) {
      if (engine.announced !== undefined) this.#note(engine, { kind: 'doubtful' });
      if (engine.survey !== undefined) this.#note(engine, { kind: 'foreign' });
    }
  }

  #note(engine: OpenEngine, heard: Heard): void {
    const pending = this.#pending.find((one) => one.engine === engine);
    if (pending === undefined) return;
    if (heard.kind === 'changed')
      pending.found ??= heard.found; // what came first is the cause
    else if (heard.kind === 'doubtful') pending.isDoubtful = true;
    else if (heard.kind === 'interface') pending.isInterface = true;
    else {
      pending.isForeign = true;
      pending.isAround ||= heard.around === true;
    }
    if (heard.kind === 'foreign') void this.#survey(pending);
    else void this.#repair(pending);
  }

  async #repair(pending: Pending): Promise<void> {
    if (pending.isRepairing) return;
    pending.isRepairing = true;
    const { clock } = this.#options;
    while (hasDoubts(pending) && !this.#signal.aborted) {
      await pause(clock, pending.repairs.wait(clock.now()), this.#signal);
      await this.#spending(pending.repairs, () => this.#putRight(pending));
    }
    pending.isRepairing = false;
  }

  async #putRight(pending: Pending): Promise<void> {
    const { plane } = this.#options;
    const { engine, found, isInterface } = pending;
    Object.assign(pending, { found: undefined, isDoubtful: false, isInterface: false });
    if (isInterface) {
      for (const other of plane.engines) if (other.traits.mesh_interface === 'makes') await plane.compare(other);
    }
    const state = found === undefined ? await plane.compare(engine) : await plane.putBack(engine, found);
    if (state === 'busy') pending.isDoubtful = true;
    await plane.settled();
  }

  async #survey(pending: Pending): Promise<void> {
    if (pending.isSurveying) return;
    pending.isSurveying = true;
    const { clock, plane } = this.#options;
    while (pending.isForeign && !this.#signal.aborted) {
      await pause(clock, Math.max(SURVEY_AFTER_MS, pending.surveys.wait(clock.now())), this.#signal);
      const { engine, isAround } = pending;
      Object.assign(pending, { isForeign: false, isAround: false });
      await this.#spending(pending.surveys, async () => {
        if (isAround) await plane.compare(engine);
        await plane.survey(engine);
      });
    }
    pending.isSurveying = false;
  }

  /** What fails is logged. The engine reports what that means, and the slow look tries again. */
  async #spending(budget: WorkBudget, work: () => Promise<void>): Promise<void> {
    if (this.#signal.aborted) return;
    const { clock, failed } = this.#options;
    const from = performance.now();
    try {
      await work();
    } catch (error) {
      failed(error);
    }
    budget.spend(Math.max(LEAST_COST_MS, performance.now() - from), clock.now());
  }
}

function hasDoubts({ found, isDoubtful, isInterface }: Pending): boolean {
  return found !== undefined || isDoubtful || isInterface;
}
