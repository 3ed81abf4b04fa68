import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, UnreachableError } from '@meshwork/client';
import { seeded } from '../seeded.ts';
import type { Mend } from './faults/fault.ts';
import { FAULTS } from './faults/index.ts';
import type { FaultTimes } from './judge.ts';
import type { PlannedFault } from './round-plan.ts';
import type { World } from './world.ts';

/** Ours: an agent that heard of nothing looks every ten seconds, and on a busy machine that takes longer. */
const PUT_BACK_WITHIN_MS = 25_000;
const LOOK_MS = 50;

/** A fault that happens: when it began, how it is mended, and when its node reported that it was put back. */
export class RunningFault implements FaultTimes {
  readonly plan: PlannedFault;
  readonly hidden: boolean;
  readonly opens: boolean;
  began_ms = Number.POSITIVE_INFINITY;
  begun_ms = Number.POSITIVE_INFINITY;
  put_back_ms: number | null = null;
  readonly #world: World;
  readonly #over = new AbortController();
  #mend: Mend | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(world: World, plan: PlannedFault) {
    this.#world = world;
    this.plan = plan;
    const { hidden = false, opens = false } = FAULTS[plan.fault];
    this.hidden = hidden;
    this.opens = opens;
  }

  get words(): string {
    const { fault, node, other } = this.plan;
    return [fault, ...new Set([node, other])].join(' ').trim();
  }

  get isForAll(): boolean {
    return FAULTS[this.plan.fault].on === 'everyone';
  }

  concerns(nodes: readonly string[]): boolean {
    const { node, other } = this.plan;
    return this.isForAll || nodes.includes(node) || nodes.includes(other);
  }

  async begin(): Promise<void> {
    const { fault, node, other, seed } = this.plan;
    const { begin, putBack } = FAULTS[fault];
    const before = putBack === undefined ? undefined : await this.#repaired();
    const stage = { world: this.#world, node, other, random: seeded(seed) };
    await this.#world.change(async () => {
      this.began_ms = performance.now();
      this.#mend = await begin(stage);
      this.begun_ms = performance.now();
    });
    if (before !== undefined) this.#watching = this.#watch(before);
  }

  /** Also waits until the agent has put back what it has to. */
  async mend(): Promise<void> {
    const mend = this.#mend;
    if (mend !== undefined) await this.#world.change(mend);
    const timer = setTimeout(() => this.#over.abort(), mend === undefined ? PUT_BACK_WITHIN_MS : 0);
    await this.#watching;
    clearTimeout(timer);
  }

  /** Watches nothing any more: the mesh is taken down. */
  giveUp(): void {
    this.#over.abort();
  }

  async #watch(before: string): Promise<void> {
    while (!this.#over.signal.aborted) {
      const now = await this.#repaired();
      if (now !== undefined && now !== before) {
        this.put_back_ms = performance.now();
        return;
      }
      await pause(LOOK_MS);
    }
  }

  /** What its node last reported to have put back, as text to compare. Undefined: no coordinator answers. */
  async #repaired(): Promise<string | undefined> {
    try {
      return JSON.stringify((await this.#world.posture(this.#world.node(this.plan.node).id)).repaired);
    } catch (error) {
      if (error instanceof UnreachableError || (error instanceof ApiError && error.status >= 500)) return undefined;
      throw error;
    }
  }
}
