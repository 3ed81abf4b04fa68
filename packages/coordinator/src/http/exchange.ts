import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { OperationId } from '@meshwork/contract';
import type { NodeActor, TokenActor } from '../mesh/actor.ts';

/**
 * One request as everything at the edge sees it. The framework's requests are such, and so are those of the heartbeat
 * lane, so that gate, call, watch and problems are the same for both.
 */
export interface Incoming {
  readonly id: string;
  readonly method: string;
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
  /** The one header that every request is checked for. */
  readonly authorization: string | undefined;
  readonly params: unknown;
  readonly query: unknown;
  /** Undefined where no operation has the path. */
  operation: OperationId | undefined;
  /** The protocol beside the table of operations that it belongs to. Undefined, or absent: none. */
  readonly spoken?: string | undefined;
  /** Undefined until the gate has authenticated the caller, and where no authentication is needed. */
  actor: TokenActor | NodeActor | undefined;
  startedAt: number;
}

/** What is answered, and to what. */
export interface Outgoing {
  readonly request: Incoming;
  readonly raw: ServerResponse;
  /** Called before the answer is written: the framework must not answer as well. */
  hijack(): unknown;
}
