import type {
  AnswerOf,
  BodyOf,
  HttpOperation,
  JSONC_TYPE,
  OperationId,
  Operations,
  PanelOperationId,
  PanelOperations,
  ParamsOf,
  QueryOf,
} from '@meshwork/contract';

/** Options of every call, whatever the operation. */
export interface CallOptions {
  /** Sent in place of the client's own: a node proves itself, and then calls with the session it was given. */
  readonly token?: string | undefined;
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Absent: the client's. For streams it is the longest silence, not the whole length. */
  readonly timeout_ms?: number | undefined;
  /** `false`: one attempt only. */
  readonly retry?: false | undefined;
}

/** An optional field may also be given as `undefined`, which is the same as leaving it out: neither reaches the wire. */
type Given<T> = { readonly [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] };

type Params<T> = T extends undefined ? { readonly params?: never } : { readonly params: T };
/** The parameters of a query are almost always optional one by one; then so is the query. */
type Query<T> = T extends undefined
  ? { readonly query?: never }
  : Record<never, never> extends T
    ? { readonly query?: Given<T> }
    : { readonly query: Given<T> };
/** A body that an operation takes is always sent, even when everything in it is optional. */
type Body<T> = T extends undefined ? { readonly body?: never } : { readonly body: Given<T> };

/** A POST that changes something carries a key: absent, the client makes one and keeps it across its own retries. */
type IdempotencyKey<O> = O extends { readonly repeatable: false }
  ? { readonly idempotency_key?: never }
  : O extends { readonly method: 'POST' }
    ? { readonly idempotency_key?: string | undefined }
    : { readonly idempotency_key?: never };

/** The `etag` of an earlier reply: the write is refused (412) when the resource has changed since. */
type IfMatch<O> = O extends { readonly versioned: true; readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' }
  ? { readonly if_match?: string | undefined }
  : { readonly if_match?: never };

type RequestFor<O extends HttpOperation> = Params<ParamsOf<O>> &
  Query<QueryOf<O>> &
  Body<BodyOf<O>> &
  IdempotencyKey<O> &
  IfMatch<O> &
  CallOptions;

/**
 * A table of requests has functions in its rows, and what they take is inferred, though a look-up would mean the same: while the
 * compiler does not know the id yet, a look-up means any of the rows, and it would try each request of a program with all of them.
 * That was three quarters of its time.
 */
type Row<Given extends readonly unknown[]> = (...given: Given) => void;
type Inferred<Chosen> = [Chosen] extends [Row<infer Given extends readonly unknown[]>] ? Given : never;
type InferredFirst<Chosen> = [Chosen] extends [Row<[infer Given extends object]>] ? Given : never;
/** The request may be left out entirely when nothing in it is needed. */
type Arguments<R> = Row<Record<never, never> extends R ? [request?: R] : [request: R]>;

type Requests = { readonly [Id in OperationId]: Row<[RequestFor<Operations[Id]>]> };
export type RequestOf<Id extends OperationId> = InferredFirst<Requests[Id]>;
type PanelRequests = { readonly [Id in PanelOperationId]: Row<[RequestFor<PanelOperations[Id]>]> };
export type PanelRequestOf<Id extends PanelOperationId> = InferredFirst<PanelRequests[Id]>;

type Calls = { readonly [Id in OperationId]: Arguments<RequestFor<Operations[Id]>> };
export type CallArguments<Id extends OperationId> = Inferred<Calls[Id]>;
type PanelCalls = { readonly [Id in PanelOperationId]: Arguments<RequestFor<PanelOperations[Id]>> };
export type PanelCallArguments<Id extends PanelOperationId> = Inferred<PanelCalls[Id]>;

interface AnyPage {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/** Operations that answer page by page. */
export type PagedOperationId = {
  [Id in OperationId]: QueryOf<Operations[Id]> extends { cursor?: string }
    ? AnswerOf<Operations[Id]> extends AnyPage
      ? Id
      : never
    : never;
}[OperationId];

/** The same for the panel. */
export type PanelPagedOperationId = {
  [Id in PanelOperationId]: QueryOf<PanelOperations[Id]> extends { cursor?: string }
    ? AnswerOf<PanelOperations[Id]> extends AnyPage
      ? Id
      : never
    : never;
}[PanelOperationId];

/** Operations that can also stream everything at once, a JSON document a line. */
export type LinesOperationId = {
  [Id in PagedOperationId]: Operations[Id]['answer'] extends {
    readonly also: readonly [{ readonly type: typeof NDJSON }, ...unknown[]];
  }
    ? Id
    : never;
}[PagedOperationId];

/** Operations whose answer can also be had as the text that it was read from. */
export type TextOperationId = {
  [Id in OperationId]: Operations[Id]['answer'] extends {
    readonly also: readonly [{ readonly type: typeof JSONC_TYPE }, ...unknown[]];
  }
    ? Id
    : never;
}[OperationId];

export const NDJSON = 'application/x-ndjson';

export type ItemOf<Id extends PagedOperationId> =
  AnswerOf<Operations[Id]> extends { readonly items: readonly (infer Item)[] } ? Item : never;

export type PanelItemOf<Id extends PanelPagedOperationId> =
  AnswerOf<PanelOperations[Id]> extends { readonly items: readonly (infer Item)[] } ? Item : never;

type Without<T, K extends string> = T extends undefined ? undefined : Omit<T, K>;

/** `limit` is how many come with each round trip; all of them come in the end. */
type PagesRequestOf<Id extends PagedOperationId> = Params<ParamsOf<Operations[Id]>> &
  Query<Without<QueryOf<Operations[Id]>, 'cursor'>> &
  CallOptions;

type PanelPagesRequestOf<Id extends PanelPagedOperationId> = Params<ParamsOf<PanelOperations[Id]>> &
  Query<Without<QueryOf<PanelOperations[Id]>, 'cursor'>> &
  CallOptions;

/** A stream has no pages, so neither `limit` nor `cursor`. */
type LinesRequestOf<Id extends LinesOperationId> = Params<ParamsOf<Operations[Id]>> &
  Query<Without<QueryOf<Operations[Id]>, 'cursor' | 'limit'>> &
  CallOptions;

type Pages = { readonly [Id in PagedOperationId]: Arguments<PagesRequestOf<Id>> };
export type PagesArguments<Id extends PagedOperationId> = Inferred<Pages[Id]>;
type PanelPages = { readonly [Id in PanelPagedOperationId]: Arguments<PanelPagesRequestOf<Id>> };
export type PanelPagesArguments<Id extends PanelPagedOperationId> = Inferred<PanelPages[Id]>;
type Lines = { readonly [Id in LinesOperationId]: Arguments<LinesRequestOf<Id>> };
export type LinesArguments<Id extends LinesOperationId> = Inferred<Lines[Id]>;

export type EventsQuery = Given<QueryOf<Operations['events.stream']>>;

/** A request of any operation, for code that does not know which. */
export interface AnyRequest extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotency_key?: string | undefined;
  readonly if_match?: string | undefined;
}
