import type { AnswerOf, BodyOf, PanelOperationId, PanelOperations, ParamsOf, QueryOf } from '@meshwork/contract';
import type { PreparedDocument } from '@meshwork/service';
import type { Person, TokenCaller } from '../callers/caller.ts';
import type { Cause } from '../ledger/transaction.ts';

/** One request as a use case sees it. No HTTP in here. */
export interface Call<I extends PanelOperationId> {
  readonly id: I;
  /** Null for a call without a session, where the operation allows one. For `halfway`: the person who gave the password. */
  readonly person: Person | null;
  /** Set where a scoped token called in place of a person. `callerOf` gives whichever it was. */
  readonly token: TokenCaller | null;
  readonly params: ParamsOf<PanelOperations[I]>;
  readonly query: QueryOf<PanelOperations[I]>;
  readonly body: BodyOf<PanelOperations[I]>;
  /** The revision that the caller believes to change; undefined when it did not say. */
  readonly if_match: number | undefined;
  readonly now_ms: number;
  /** For `ledger.transact`: who, by which operation, from where. */
  readonly cause: Cause;
  readonly address: string;
  readonly user_agent: string;
  /** What the browser was given to keep, by name (`Reply.kept`). */
  readonly kept: Readonly<Record<string, string>>;
  /** The query as it was written: a provider's answer is checked against it. */
  readonly search: string;
}

export interface Reply<I extends PanelOperationId> {
  readonly body?: AnswerOf<PanelOperations[I]>;
  /** In place of a body: one that was prepared for everyone. */
  readonly document?: PreparedDocument;
  /** The revision of the resource, for its ETag. */
  readonly revision?: number;
  readonly location?: string;
  /** The answer says that the panel cannot serve now. */
  readonly unavailable?: boolean;
  /** The secret of a session for the browser to keep from now on; null: it is to forget the one it has. */
  readonly session_secret?: string | null;
  /** What the browser is to keep, and to bring along with later requests. */
  readonly kept?: readonly Kept[];
}

/** Something for the browser to keep that only the panel can read. */
export interface Kept {
  readonly name: string;
  /** Null: it is to forget it. */
  readonly value: string | null;
  readonly lifetime_s: number;
  /** The only part of the panel that it is for. */
  readonly path: string;
}

export type Handler<I extends PanelOperationId> = (call: Call<I>) => Reply<I> | Promise<Reply<I>>;
export type Handlers<Ids extends PanelOperationId = PanelOperationId> = { readonly [I in Ids]: Handler<I> };
/** The operations of one area: those whose id starts with its name. */
export type AreaHandlers<Area extends string> = Handlers<Extract<PanelOperationId, `${Area}.${string}`>>;
