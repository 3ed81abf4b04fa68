import type { NodeId, Settings } from '@meshwork/contract';

/**
 * How long a relay must be nearer without interruption, before a node moves to it. Agents measure every 30 s, so that three
 * measurements in a row say it. It is a time and no count, because a heartbeat leaves out what has not changed.
 */
const NEARER_FOR_MS = 90_000;

type MoveRule = Pick<Settings['relays'], 'move_gain_ms' | 'move_ratio_percent'>;

/** Which relays have been worth a move for how long: measurements jump, and one of them moves no node. */
export class NearerRelays {
  /** By node, since when each relay is worth a move. Nodes that have none are absent. */
  readonly #since = new Map<NodeId, Map<string, number>>();

  /** Takes in what a node has measured. Returns whether there is one that it may move to now. */
  note(node: NodeId, present: string, round_trips: ReadonlyMap<string, number>, rule: MoveRule, now: number): boolean {
    const known = this.#since.get(node);
    const since = new Map<string, number>();
    let isDue = false;
    for (const name of nearerThan(present, round_trips, rule)) {
      const from = known?.get(name) ?? now;
      since.set(name, from);
      isDue ||= now - from >= NEARER_FOR_MS;
    }
    if (since.size > 0) this.#since.set(node, since);
    else if (known !== undefined) this.#since.delete(node);
    return isDue;
  }

  /** Whether any is worth a move, for however short a time. */
  has(node: NodeId): boolean {
    return this.#since.has(node);
  }

  /** Those that have been worth a move for long enough. */
  of(node: NodeId, now: number): ReadonlySet<string> {
    const since = this.#since.get(node);
    if (since === undefined) return NONE;
    return new Set([...since].flatMap(([name, from]) => (now - from >= NEARER_FOR_MS ? [name] : [])));
  }

  /** What was nearer than the relay of before says nothing of the new one. */
  forget(node: NodeId): void {
    this.#since.delete(node);
  }

  clear(): void {
    this.#since.clear();
  }
}
const NONE: ReadonlySet<string> = new Set();

/** Relays that are nearer by as much as the settings ask for: in milliseconds, and in proportion. */
function* nearerThan(
  present: string,
  round_trips: ReadonlyMap<string, number>,
  { move_gain_ms, move_ratio_percent }: MoveRule,
): Generator<string> {
  const now_ms = round_trips.get(present);
  if (now_ms === undefined) return; // nothing to compare with
  for (const [name, rtt_ms] of round_trips) {
    const isWorth = now_ms - rtt_ms >= move_gain_ms && rtt_ms * 100 <= now_ms * move_ratio_percent;
    if (name !== present && isWorth) yield name;
  }
}
