/**
 * What gateways counted of the last hour, in memory. Gateways report counts that only grow, so a heartbeat that is lost or repeated counts
 * nothing twice: what came is the difference to what was known before. A gateway of which nothing was known is known from then on.
 */
import type { HeartbeatRequest, TrafficCount, TrafficObserved } from '@meshwork/contract';
import { addTo, differenceOf, type Sample, scaled } from './traffic-sample.ts';

export const STEP_MS = 15_000;
const KEPT_MS = 3_600_000;
/** Ours: some fifty megabytes. Beyond it the oldest go. */
const MOST_SAMPLES = 100_000;

/** What came in a step, by ingress and route. No path is empty: that is where there is no route. */
type Step = Map<string, Map<string, Sample>>;

/** One gateway, as this coordinator has heard it. */
interface Source {
  epoch: string;
  /** From then on nothing is missing here. By our clock. */
  since_ms: number;
  reported_ms: number;
  /** By ingress and route, what it had counted when it was last heard. */
  readonly known: Map<string, TrafficCount>;
  readonly steps: Map<number, Step>;
}

interface KnownSource {
  readonly since_ms: number;
  readonly reported_ms: number;
}

export class TrafficHistory {
  readonly #sources = new Map<string, Source>();
  readonly #mostSamples: number;
  #samples = 0;

  constructor(most_samples = MOST_SAMPLES) {
    this.#mostSamples = most_samples;
  }

  /** What a heartbeat brought. `isServing`: whether it is a gateway of the ingress; what others say is not kept. */
  note(
    node: string,
    { observed, complete }: Pick<HeartbeatRequest, 'observed' | 'complete'>,
    now_ms: number,
    isServing: (ingress: string) => boolean,
  ): void {
    const traffic = observed?.traffic;
    if (traffic === undefined) return;
    const before = this.#sources.get(node);
    // Until all was said once, what is not known may have been counted at any time before.
    if (before === undefined && complete !== true) return;
    const source = before ?? newSource(traffic.epoch, now_ms);
    const isNew = before === undefined;
    const beganAnew = source.epoch !== traffic.epoch;
    if (beganAnew) {
      source.epoch = traffic.epoch;
      source.known.clear();
      if (!isNew) source.since_ms = now_ms; // some of before may be missing
    }
    this.#sources.set(node, source);
    this.#take(source, traffic, { now_ms, isBaseline: isNew, isServing });
    source.reported_ms = now_ms;
    this.#forget(source, now_ms);
  }

  #take(
    source: Source,
    { counts }: TrafficObserved,
    { now_ms, isBaseline, isServing }: { now_ms: number; isBaseline: boolean; isServing: (ingress: string) => boolean },
  ): void {
    for (const count of counts) {
      if (!isServing(count.ingress)) continue;
      const key = keyOf(count);
      const came = isBaseline ? undefined : differenceOf(source.known.get(key), count);
      source.known.set(key, count);
      if (came !== undefined) this.#spread(source, count, came, now_ms);
    }
  }

  /** Over the steps since it was last heard: it may have been out of reach, or with another coordinator. */
  #spread(source: Source, count: TrafficCount, came: Sample, now_ms: number): void {
    const last = Math.floor(now_ms / STEP_MS);
    const first = Math.max(Math.floor(source.reported_ms / STEP_MS), last - KEPT_MS / STEP_MS);
    const from_ms = Math.min(Math.max(source.reported_ms, first * STEP_MS), now_ms);
    const length = now_ms - from_ms;
    for (let step = Math.min(first, last); step <= last; step++) {
      const inside = Math.min(now_ms, (step + 1) * STEP_MS) - Math.max(from_ms, step * STEP_MS);
      const share = length <= 0 ? Number(step === last) : inside / length;
      if (share > 0) this.#add(stepOf(source, step), count, share === 1 ? came : scaled(came, share));
    }
  }

  #add(step: Step, { ingress, route }: TrafficCount, came: Sample): void {
    const samples = step.get(ingress) ?? new Map<string, Sample>();
    step.set(ingress, samples);
    const known = samples.get(route ?? '');
    if (known !== undefined) addTo(known, came);
    else {
      samples.set(route ?? '', came.slice());
      this.#samples += 1;
    }
  }

  #forget(source: Source, now_ms: number): void {
    const oldest = Math.floor((now_ms - KEPT_MS) / STEP_MS) - 1;
    for (const step of source.steps.keys()) {
      if (step >= oldest && this.#samples <= this.#mostSamples) break; // in order of time
      this.#samples -= samplesIn(source.steps.get(step));
      source.steps.delete(step);
      if (step >= oldest) source.since_ms = Math.max(source.since_ms, (step + 1) * STEP_MS);
    }
  }

  /** A node that is gone. */
  remove(node: string): void {
    for (const step of this.#sources.get(node)?.steps.values() ?? []) this.#samples -= samplesIn(step);
    this.#sources.delete(node);
  }

  /** Undefined: this coordinator has heard nothing of it. */
  source(node: string): KnownSource | undefined {
    return this.#sources.get(node);
  }

  /** By step from this one on and by route, what came to an ingress through a gateway. */
  *of(node: string, ingress: string, from_step: number): Generator<readonly [step: number, route: string, Sample]> {
    for (const [step, came] of this.#sources.get(node)?.steps ?? []) {
      if (step < from_step) continue;
      for (const [route, sample] of came.get(ingress) ?? []) yield [step, route, sample];
    }
  }
}

function newSource(epoch: string, now_ms: number): Source {
  return { epoch, since_ms: now_ms, reported_ms: now_ms, known: new Map(), steps: new Map() };
}

function stepOf({ steps }: Source, number: number): Step {
  const step: Step = steps.get(number) ?? new Map();
  steps.set(number, step);
  return step;
}

function samplesIn(step: Step = new Map()): number {
  return step.values().reduce((sum, samples) => sum + samples.size, 0);
}

function keyOf({ ingress, route }: TrafficCount): string {
  return `${ingress} ${route ?? ''}`;
}
