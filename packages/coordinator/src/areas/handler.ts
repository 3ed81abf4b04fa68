import type { AnswerOf, BodyOf, OperationId, Operations, ParamsOf, QueryOf } from '@meshwork/contract';
import type { ServedDocument } from '@meshwork/service';
import type { NodeActor, TokenActor } from '../mesh/actor.ts';
import type { Transaction } from '../mesh/transaction.ts';

/** Who calls an operation: a token, or a node by its own session. */
export type CallerOf<I extends OperationId> = Operations[I] extends { readonly caller: 'node' }
  ? NodeActor
  : TokenActor;

/** One request as a use case sees it: who, what, and the only way to change anything. No HTTP in here. */
export interface Call<I extends OperationId> {
  /** Operations that need no permission have none, and reading it there is a bug. */
  readonly actor: CallerOf<I>;
  readonly params: ParamsOf<Operations[I]>;
  readonly query: QueryOf<Operations[I]>;
  readonly body: BodyOf<Operations[I]>;
  /** The revision that the caller believes to change; undefined when it did not say. */
  readonly if_match: number | undefined;
  /** Media type the caller requested, of those the operation offers; undefined: the usual one. */
  readonly wants: string | undefined;
  readonly now_ms: number;
  /** Where the request comes from. */
  readonly address: string;
  /** Where the caller believes us to be, as it wrote it: `mesh.example.org:7400`. Empty: it did not say. */
  readonly host: string;
  /** Where a stream of events is to go on; undefined when the caller did not say. */
  readonly last_event_id: string | undefined;
  /** Calls back when the caller hangs up before it has its answer. For answers that wait. */
  whenGone(gone: () => void): void;
  /** Throws when the caller has lost the right to this meanwhile. For answers that take their time. */
  ensureStillAllowed(): void;
  /**
   * Changes the mesh. `run` gets the caller as it stands at that very moment, its rights checked once more, so that
   * nothing is done for a token that was revoked or weakened while its request waited. `again` is called before a
   * repeated request is given its earlier answer; a use case whose answer has a secret checks there that the caller may
   * still see it.
   */
  transact<T>(run: Run<T, CallerOf<I>>, again?: Again<T, CallerOf<I>>): Promise<T>;
}

export type Run<T, A = TokenActor> = (tx: Transaction, actor: A) => T;
export type Again<T, A = TokenActor> = (answer: T, tx: Transaction, actor: A) => void;

export type Reply<I extends OperationId> = Content<I> & About;

/**
 * What is answered: a body, with its JSON where a use case has that at hand, only the JSON where that is enough, or a
 * document that is the same for all callers.
 */
type Content<I extends OperationId> =
  | { readonly body: AnswerOf<Operations[I]>; readonly json?: string }
  | { readonly body?: never; readonly json: string }
  | { readonly body?: never; readonly json?: never; readonly document: ServedDocument };

interface About {
  /** The revision of the resource, for its ETag. */
  readonly revision?: number;
  /** Where a new resource is. */
  readonly location?: string;
  /** The answer says that the coordinator cannot serve now. */
  readonly unavailable?: boolean;
}

/** An answer that is produced while it is sent, a line at a time. */
export interface Stream {
  readonly type: string;
  /** The revision of the resource, for its ETag. Absent: it has none. */
  readonly revision?: number;
  readonly lines: AsyncIterable<string>;
  /** Aborted when the answer must end although its reader takes nothing any more. Absent: it never must. */
  readonly cut?: AbortSignal;
}

export type Handler<I extends OperationId> = (call: Call<I>) => Reply<I> | Stream | Promise<Reply<I> | Stream>;
export type Handlers<Ids extends OperationId = OperationId> = { readonly [I in Ids]: Handler<I> };
/** The operations of one area: those whose id starts with its name. */
export type AreaHandlers<Area extends string> = Handlers<Extract<OperationId, `${Area}.${string}`>>;
