import type { Person, TokenCaller } from '../callers/caller.ts';
import type { Action } from '../ledger/transaction.ts';

/** What the edge knows of a request beyond HTTP. */
export interface PanelRequest {
  /** Undefined where no operation has the path: pages of the dashboard, and nothing at all. */
  operation: Action | undefined;
  /** Null until the gate has recognised somebody, and where nobody is signed in. */
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
