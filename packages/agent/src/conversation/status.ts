/**
 * `stopped`: as asked. `removed`: the coordinator knows the node no more. `unknown`: it never did; the identity may be of another
 * mesh. `replaced`: another agent runs as this node, and started after this one.
 */
export type EndReason = 'stopped' | 'removed' | 'unknown' | 'replaced';

export interface Ending {
  readonly reason: EndReason;
  /** In words, for a person. */
  readonly detail: string;
}

/** How an agent stands with its coordinator. */
export type AgentStatus =
  | { readonly state: 'starting' }
  /** The last heartbeat was answered. */
  | { readonly state: 'connected' }
  /** It tries again, by itself. `clock_skewed`: it cannot succeed until the clock of the node is corrected. */
  | {
      readonly state: 'retrying';
      readonly problem: 'unreachable' | 'refused' | 'clock_skewed';
      readonly detail: string;
    }
  | ({ readonly state: 'ended' } & Ending);
