import type { Kind } from '../kinds/kinds.ts';
import type { Changed } from '../mesh/model.ts';

/** By kind of document. */
export type Notes = { readonly [K in Kind]?: (change: Changed<K>) => void };

/** A duty that runs by time alone. */
export function periodic(name: string, every_s: number, run: () => Promise<void>): Duty {
  return { name, every_s, run };
}

/**
 * Something that the coordinator does by itself. It belongs to the area whose documents it looks after, and says after which
 * changes, how often and when it has to run; `scheduler.ts` says when. Of several coordinators, the one that leads runs it.
 */
export interface Duty {
  /** As logs know it: `relays.assign`. */
  readonly name: string;
  /** Seconds between two runs by time alone. Absent: only what it noted makes it run. */
  readonly every_s?: number;
  /** A moment by the clock at which it has to run. Undefined: none is known. */
  readonly next_at?: number | undefined;
  /** Notes what a change puts in question. The model and its indexes have followed the change. */
  readonly on?: Notes;
  /** Whether something that it noted waits. Absent: it notes nothing. */
  readonly pending?: boolean;
  /** Notes everything: this coordinator begins to lead, or everything may be different. */
  begin?(): void;
  /** Forgets what it noted: another coordinator leads now. */
  end?(): void;
  /**
   * Given how to request a run outside of changes: what a node reports is known only to the coordinator that received
   * it.
   */
  attach?(ask: () => void): void;
  /** Does what waits, or a part of it. It is run again while something is pending, and after it threw. */
  run(): Promise<void>;
}
