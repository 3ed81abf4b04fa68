import type { ErrorCode } from './error-table.ts';
import type { Permission } from './permissions.ts';
import { type Static, type TObject, type TSchema, Type } from './type.ts';
import { isRepeatable, type Method } from './wire/wire-operation.ts';

/** What a request and its answer look like, both of the coordinator (`Operation`) and of the panel (`panel/`). */
export interface HttpOperation {
  readonly method: Method;
  /** From the root, with parameters in braces: `/v1/auth/tokens/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /**
   * Media types of a body that is handed on as text, unread, so that errors in it can be reported by line and
   * column. `body` then describes what the text means. Absent: `application/json`, read and checked.
   */
  readonly text?: readonly string[];
  /**
   * What becomes of members of the body that the schema does not name. `ignored`: for requests of agents, which may be newer than
   * this coordinator. Absent: the request is refused.
   */
  readonly unknown_members?: 'ignored';
  /** Bytes. Absent: `DEFAULT_BODY_LIMIT`. */
  readonly body_limit?: number;
  /** False for a POST that is to be done anew each time: an `Idempotency-Key` has no meaning there. */
  readonly repeatable?: false;
  /** True when the resource has an `ETag`, which the answer carries and a write honours as `If-Match`. */
  readonly versioned?: boolean;
  /**
   * True: a person who is signed in to the panel must have proven who they are within the last ten minutes. Absent: the session
   * alone is enough. A scoped token is never asked: it is narrow and short-lived, and no person is there to answer.
   */
  readonly confirmed?: true;
  readonly answer: Answer;
  /** The errors of this operation's own; those that follow from its shape are added by `errorsOf`. */
  readonly errors: readonly ErrorCode[];
  readonly example: Example;
}

/** One endpoint of the coordinator. Routes, OpenAPI, permissions, client and help are all derived from this. */
export interface Operation extends HttpOperation {
  /** What the caller needs. `null`: anyone may, without credentials. */
  readonly permission: Permission | null;
  /** `node`: the caller is a node with a session of its own, which is all it needs. Absent: a token, or anyone. */
  readonly caller?: 'node';
  /** `mesh`: affects every boundary, so the credential's scope must be `*` in all three. `scoped`: sees its own boundary. */
  readonly reach: 'scoped' | 'mesh';
}

interface Answer {
  /** 302: the browser goes on elsewhere, which only signing in by another provider does. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly description: string;
  /** Absent: no body. */
  readonly schema?: TSchema;
  /** Media type; `application/json` when absent. */
  readonly type?: string;
  /** True: the usual form is bytes. Programs of ours, which read text, ask for the first of the others. */
  readonly binary?: true;
  /** Further media types the caller may ask for with `Accept`. */
  readonly also?: readonly { readonly type: string; readonly description: string }[];
  /** The same body under another status, when the answer is a sound one and yet no success: a coordinator not ready. */
  readonly otherwise?: { readonly status: 503; readonly description: string; readonly example: unknown };
}

interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly answer?: unknown;
}

export const DEFAULT_BODY_LIMIT = 64 * 1024;

export function defineOperations<const T extends Record<`${string}.${string}`, Operation>>(table: T): T {
  return table;
}

/** What a request may contain: no more than is named. */
export function Strict<P extends Record<string, TSchema>>(properties: P, options: { description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
type Part<O, Name extends string> = O extends { readonly [N in Name]: infer S } ? S : undefined;

export type ParamsOf<O extends HttpOperation> = StaticOr<Part<O, 'params'>, undefined>;
export type QueryOf<O extends HttpOperation> = StaticOr<Part<O, 'query'>, undefined>;
export type BodyOf<O extends HttpOperation> = O extends { readonly text: readonly string[] }
  ? string
  : StaticOr<Part<O, 'body'>, undefined>;
export type AnswerOf<O extends HttpOperation> = StaticOr<Part<O['answer'], 'schema'>, undefined>;

export function isMutation(operation: HttpOperation): boolean {
  return operation.method !== 'GET';
}

/** Whether `If-Match` means something: there is a version to match, which a POST that creates out of nothing lacks. */
export function takesIfMatch(operation: HttpOperation): boolean {
  const creates = operation.method === 'POST' && operation.params === undefined;
  return operation.versioned === true && isMutation(operation) && !creates;
}

/** Every code this operation can answer with: its own, and those that follow from its shape. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  add('malformed_request', 'internal', 'shutting_down');
  if (operation.permission !== null) {
    add('credentials_missing', 'credentials_invalid', 'token_expired', 'token_retired', 'token_revoked');
    add('permission_denied', 'rate_limited', 'store_unavailable');
    if (operation.reach === 'mesh') add('mesh_scope_required');
  }
  if (operation.caller === 'node') {
    add('credentials_missing', 'credentials_invalid', 'session_expired', 'session_void', 'rate_limited');
  }
  if (operation.params !== undefined) add('not_found');
  add('invalid'); // an unknown query parameter, whatever the operation
  if (operation.body !== undefined) add('malformed_json', 'body_too_large', 'unsupported_media_type');
  else add('unexpected_body');
  if (isMutation(operation)) add('busy', 'store_unavailable', 'outcome_unknown');
  if (isRepeatable(operation)) add('idempotency_key_reused');
  if (takesIfMatch(operation)) add('revision_mismatch');
  return [...codes];
}
