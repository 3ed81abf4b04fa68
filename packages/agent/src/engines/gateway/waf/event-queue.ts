/**
 * Events that the coordinator has not answered for yet. There are never more than fit: what is too much is counted, by policy and
 * ingress, and exactly.
 */
import { createHash } from 'node:crypto';
import type { WafObserved, WafReport } from '@meshwork/contract';
import { MAX_WAF_EVENTS, newId, timeOfId } from '@meshwork/contract/vocabulary';

type LeftOut = NonNullable<WafObserved['left_out']>[number];

/** Ours: an ingress may have so many events at once, and so many a second. All others count. */
const BURST = 100;
const A_SECOND = 20;
/** Ours: while the coordinator is away. */
const MAX_WAITING = 500;

/** Ours: a heartbeat has other things to say, and a limit. */
const MAX_BYTES = 128 * 1024;

/** As it is kept on disk. */
export interface WaitingEvents {
  readonly events: readonly WafReport[];
  readonly left_out: readonly LeftOut[];
  readonly counted_from: string;
}

interface Bucket {
  readonly at_ms: number;
  readonly tokens: number;
}

export class EventQueue {
  #events: readonly WafReport[] = [];
  #leftOut: readonly LeftOut[] = [];
  #countedFrom: string;
  readonly #buckets = new Map<string, Bucket>();
  /** Counts that were sent, and so are not added to any more. */
  readonly #sent = new Set<string>();

  constructor(now_ms: number) {
    this.#countedFrom = new Date(now_ms).toISOString();
  }

  restore({ events, left_out, counted_from }: WaitingEvents): void {
    this.#events = events;
    this.#leftOut = left_out;
    this.#countedFrom = counted_from;
    for (const { id } of left_out) this.#sent.add(id); // it may have been sent
  }

  get waiting(): WaitingEvents {
    return { events: this.#events, left_out: this.#leftOut, counted_from: this.#countedFrom };
  }

  /** By its own time, so that what is read again is judged as it was. */
  add(report: WafReport): void {
    if (this.#events.length < MAX_WAITING && this.#takes(report)) this.#events = [...this.#events, report];
    else this.#count(report);
  }

  #takes({ id, ingress }: WafReport): boolean {
    const at_ms = timeOf(id);
    const before = this.#buckets.get(ingress) ?? { at_ms, tokens: BURST };
    const tokens = Math.min(BURST, before.tokens + (Math.max(0, at_ms - before.at_ms) / 1000) * A_SECOND);
    const takes = tokens >= 1;
    this.#buckets.set(ingress, { at_ms: Math.max(at_ms, before.at_ms), tokens: takes ? tokens - 1 : tokens });
    return takes;
  }

  #count({ id, policy, ingress, verdict }: WafReport): void {
    const at = new Date(timeOf(id)).toISOString();
    const index = this.#leftOut.findIndex(
      (one) => one.policy === policy && one.ingress === ingress && !this.#sent.has(one.id),
    );
    const digest = createHash('sha256').update(id).digest();
    const before = this.#leftOut[index] ?? {
      id: newId('wafevent', timeOf(id), (bytes) => digest.copy(bytes)),
      policy,
      ingress,
      from: at,
      to: at,
      blocked: 0,
      detected: 0,
      scored: 0,
    };
    const counted = {
      ...before,
      from: at < before.from ? at : before.from,
      to: at > before.to ? at : before.to,
      [verdict]: before[verdict] + 1,
    };
    this.#leftOut = index === -1 ? [...this.#leftOut, counted] : this.#leftOut.with(index, counted);
  }

  /** Something was lost that could not be counted. */
  lost(now_ms: number): void {
    this.#countedFrom = new Date(now_ms).toISOString();
  }

  /** For the next heartbeat. */
  observed(): WafObserved {
    const left_out = this.#leftOut.slice(0, MAX_WAF_EVENTS);
    for (const { id } of left_out) this.#sent.add(id);
    const events = this.#next();
    return {
      ...(events.length === 0 ? {} : { events }),
      ...(left_out.length === 0 ? {} : { left_out }),
      counted_from: this.#countedFrom,
    };
  }

  /** At least one: none is as large as a heartbeat. */
  #next(): WafReport[] {
    let bytes = 0;
    const end = this.#events.slice(0, MAX_WAF_EVENTS).findIndex((event, index) => {
      bytes += Buffer.byteLength(JSON.stringify(event));
      return index > 0 && bytes > MAX_BYTES;
    });
    return this.#events.slice(0, end === -1 ? MAX_WAF_EVENTS : end);
  }

  /** Answers whether anything was still there. */
  answered({ events = [], left_out = [] }: WafObserved): boolean {
    const ids = new Set([...events, ...left_out].map(({ id }) => id));
    if (ids.size === 0) return false;
    this.#events = this.#events.filter(({ id }) => !ids.has(id));
    this.#leftOut = this.#leftOut.filter(({ id }) => !ids.has(id));
    for (const id of ids) this.#sent.delete(id);
    return true;
  }
}

function timeOf(id: string): number {
  return timeOfId(id as Parameters<typeof timeOfId>[0]);
}
