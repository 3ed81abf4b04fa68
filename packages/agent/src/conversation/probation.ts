/** Changes that are on trial until a heartbeat that was sent after them is answered. See `rollback/rollback-guard.ts`. */
export interface Probation {
  /** Whether a change waits for its proof: heartbeats are answered at once then. */
  readonly pending: boolean;
  /** Whether it may be what keeps heartbeats from being answered: they are repeated soon when they fail. */
  readonly urgent: boolean;
  /** Taken when a heartbeat is sent, and handed back with its answer. */
  ticket(): number;
  answered(ticket: number): void;
}

/** Ours: between two heartbeats at most, while a change waits for its proof. */
export const PROBATION_PAUSE_MS = 1000;

/** For data planes that cannot cut the node off. */
export const NO_PROBATION: Probation = { pending: false, urgent: false, ticket: () => 0, answered: () => undefined };
