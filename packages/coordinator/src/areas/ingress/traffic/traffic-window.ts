import { STEP_MS } from './traffic-history.ts';

/** The steps that an answer goes over, the last of which is not over yet. */
export interface TrafficWindow {
  readonly first: number;
  readonly last: number;
  readonly from_ms: number;
  readonly now_ms: number;
  readonly seconds: number;
}

const USUAL_MINUTES = 5;

export function windowOf(now_ms: number, minutes = USUAL_MINUTES): TrafficWindow {
  const last = Math.floor(now_ms / STEP_MS);
  const first = last - (minutes * 60_000) / STEP_MS + 1;
  const from_ms = first * STEP_MS;
  return { first, last, from_ms, now_ms, seconds: (now_ms - from_ms) / 1000 };
}
