import type { Probe, ProbeResult } from '@meshwork/contract';
import { MAX_PROBES } from '@meshwork/contract/vocabulary';

/** Tries and looks at what the coordinator asks for right now: see `probes/`. */
export interface ProbeRunner {
  /** Begins with them. `answer` is called for each, at any time later, and for some of them twice. */
  take(probes: readonly Probe[], answer: (result: ProbeResult) => void): void;
}

/** Ours: a result is about the moment. The coordinator has long given up on one that is older. */
const KEPT_MS = 10_000;

/** Results that are to go out. Each goes out once: after a heartbeat that failed, it is about a moment that is over. */
export class ProbeResults {
  #waiting: { readonly result: ProbeResult; readonly at_ms: number }[] = [];

  get pending(): boolean {
    return this.#waiting.length > 0;
  }

  add(result: ProbeResult, now_ms: number): void {
    this.#waiting.push({ result, at_ms: now_ms });
  }

  /** As many as fit into one heartbeat, the oldest first. */
  take(now_ms: number): ProbeResult[] {
    const recent = this.#waiting.filter(({ at_ms }) => Math.abs(now_ms - at_ms) < KEPT_MS); // also when the clock was set
    this.#waiting = recent.slice(MAX_PROBES);
    return recent.slice(0, MAX_PROBES).map(({ result }) => result);
  }
}
