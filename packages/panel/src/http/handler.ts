import type {
  AnswerOf,
  BodyOf,
  PanelOperationId,
  PanelOperations,
  ParamsOf,
  Permission,
  QueryOf,
  Scope,
  TokenId,
  UserId,
} from '@meshwork/contract';
import type { PreparedDocument } from '@meshwork/service';
import type { Stored } from '../ledger/documents.ts';
import type { Cause } from '../ledger/transaction.ts';

/** Who is signed in, and what the coordinator lets them do, as of the moment the request came in. */
export interface Person {
  readonly id: UserId;
  readonly user: Stored<'user'>;
  readonly session: Stored<'session'>;
  /** Of the operations that need none, it may be empty: the coordinator is not asked for those. */
  readonly permissions: ReadonlySet<Permission>;
  readonly scope: Scope;
}

/** A scoped token, as the coordinator described it when the request came in. It has no session and no account here. */
export interface TokenCaller {
  readonly id: TokenId;
  readonly name: string;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  readonly scope: Scope;
}

/** One request as a use case sees it. No HTTP in here. */
export interface Call<I extends PanelOperationId> {
  readonly id: I;
  /** Null where anyone may call and nobody is signed in. For `halfway` it is whoever gave the password. */
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
  /** What the browser sent along, by name; the session's own cookie is not among them. */
  readonly cookies: Readonly<Record<string, string>>;
  /** The full address that was asked for, query included: a provider's answer is checked against it. */
  readonly url: URL;
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
  /** Further cookies, whole as they go into `Set-Cookie`. */
  readonly cookies?: readonly string[];
}

export type Handler<I extends PanelOperationId> = (call: Call<I>) => Reply<I> | Promise<Reply<I>>;
export type Handlers<Ids extends PanelOperationId = PanelOperationId> = { readonly [I in Ids]: Handler<I> };
/** The operations of one area: those whose id starts with its name. */
export type AreaHandlers<Area extends string> = Handlers<Extract<PanelOperationId, `${Area}.${string}`>>;
