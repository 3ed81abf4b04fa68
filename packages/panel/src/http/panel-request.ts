import type { Person, TokenCaller } from '../callers/caller.ts';
import type { Action } from '../ledger/transaction.ts';

/** What the edge knows of a request beyond HTTP. */
export interface PanelRequest {
  /** Undefined where no operation has the path: pages of the dashboard, and nothing at all. */
  operation: Action | undefined;
  /** Null before the gate recognises a session, and for a request without one. */
  person: Person | null;
  /** Null unless a scoped token called, once the coordinator has said whose it is. */
  token: TokenCaller | null;
  readonly started_at: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    panel: PanelRequest;
  }
}
