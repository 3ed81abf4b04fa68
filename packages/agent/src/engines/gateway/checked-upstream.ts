import type { AssignedTarget, UpstreamHealth } from '@meshwork/contract';
import type { SleepingClock } from '@meshwork/time';
import { pause } from '../../host/pause.ts';
import type { CheckSlots } from './check-slots.ts';
import { type CheckedService, nameInMesh } from './live-state.ts';
import type { ProbedTarget, ProbeOutcome } from './probe-outcome.ts';
import { probeTarget } from './probe-target.ts';
import { RiseAndFall } from './rise-and-fall.ts';

/** What is checked, and how. */
export interface Followed extends CheckedService {
  readonly target: AssignedTarget;
  /** What it is asked for as. */
  readonly hostname: string;
}

/** What all upstreams have in common. */
export interface CheckParts {
  readonly clock: SleepingClock;
  readonly random: () => number;
  readonly slots: CheckSlots;
  /** What a check needs besides. An outcome: there is no point in trying. */
  readonly prepare: (followed: Followed) => Pick<ProbedTarget, 'tls'> | { readonly outcome: ProbeOutcome };
  readonly changed: () => void;
}

/** Ours: by how much a pause differs from the interval, so that checks of many upstreams and gateways do not fall together. */
const JITTER = 0.2;
/** Of the interval, when a check took as long as that: it would otherwise be checked without a pause. */
const LEAST_PAUSE = 0.1;

/** One upstream, checked again and again until it is stopped. */
export class CheckedUpstream {
  readonly #parts: CheckParts;
  readonly #stopping = new AbortController();
  readonly #results: RiseAndFall;
  readonly #first = Promise.withResolvers<void>();
  #followed: Followed;
  #health: UpstreamHealth;

  /** `before`: the same place with another check. Its state counts until there is a result. */
  constructor(followed: Followed, parts: CheckParts, before?: CheckedUpstream) {
    this.#followed = followed;
    this.#parts = parts;
    const { rise, fall, kind } = followed.check;
    // What was not checked is not known to be up.
    const inherited =
      before === undefined || before.#followed.check.kind === 'none' ? undefined : before.#results.found;
    this.#results = new RiseAndFall({ rise, fall, now: () => parts.clock.now(), before: inherited });
    if (kind === 'none') this.#assume();
    this.#health = this.#report();
    if (kind === 'none' || this.#health.state !== 'unknown') this.#first.resolve();
    if (kind !== 'none') void this.#checkOn();
  }

  get health(): UpstreamHealth {
    return this.#health;
  }

  get followed(): Followed {
    return this.#followed;
  }

  /** Resolves once it was checked, or does not have to be. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** The same upstream by its key, in another record: its check goes on. */
  update(followed: Followed): void {
    this.#followed = followed;
    if (followed.check.kind !== 'none') return;
    this.#assume();
    this.#health = this.#report();
  }

  stop(): void {
    this.#stopping.abort();
    this.#first.resolve();
  }

  /** What is not checked is up, unless it must not be reached at all, or that is not known yet. */
  #assume(): void {
    const ready = this.#parts.prepare(this.#followed);
    if (!('outcome' in ready) || ready.outcome.result === 'passed') this.#results.assume();
    else if (ready.outcome.result === 'failed') this.#results.refuse(ready.outcome.why);
    else this.#results.unchecked(ready.outcome.why);
  }

  async #checkOn(): Promise<void> {
    const { signal } = this.#stopping;
    const { slots, clock, random } = this.#parts;
    for (let is_first = true; !signal.aborted; is_first = false) {
      const took_ms = await slots.use(() => this.#check(), { urgent: is_first });
      this.#first.resolve();
      if (signal.aborted) return;
      const interval_ms = this.#followed.check.interval_s * 1000;
      const wait_ms = interval_ms * (1 - JITTER + 2 * JITTER * random()) - took_ms;
      await pause(clock, Math.max(wait_ms, interval_ms * LEAST_PAUSE), signal);
    }
  }

  /** Answers with how long it took. */
  async #check(): Promise<number> {
    const { signal } = this.#stopping;
    if (signal.aborted) return 0;
    const started_ms = performance.now();
    this.#take(await this.#outcome(signal), signal);
    return performance.now() - started_ms;
  }

  async #outcome(signal: AbortSignal): Promise<ProbeOutcome> {
    const { target, hostname, check } = this.#followed;
    const ready = this.#parts.prepare(this.#followed);
    if ('outcome' in ready) return ready.outcome;
    const { address, port } = target;
    return await probeTarget({ address, port, name: nameInMesh(target), hostname, check, ...ready }, signal);
  }

  #take(outcome: ProbeOutcome, signal: AbortSignal): void {
    if (signal.aborted) return;
    if (outcome.result === 'passed') this.#results.passed();
    else this.#results[outcome.result](outcome.why);
    const { state } = this.#health;
    this.#health = this.#report();
    if (this.#health.state !== state) this.#parts.changed();
  }

  #report(): UpstreamHealth {
    const { service, target } = this.#followed;
    return { service, node: target.node, ...this.#results.found };
  }
}
