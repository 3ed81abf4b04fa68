export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a client needs to know of an operation in order to call it. `Operation` has the rest, with the schemas. */
export interface WireOperation {
  readonly method: Method;
  /** From the root, with parameters in braces: `/v1/auth/tokens/{id}`. */
  readonly path: string;
  /** How the body is sent. `text`: as it was written, with comments. Absent: there is none. */
  readonly body?: 'json' | 'text';
  /** False for a POST that is to be done anew each time: an `Idempotency-Key` has no meaning there. */
  readonly repeatable?: false;
  /** Media type of the answer, a text. Null: it has no body. Absent: `application/json`. */
  readonly answer?: string | null;
  /** Further media types that can be requested with `Accept`. */
  readonly also?: readonly string[];
}

/** Whether an `Idempotency-Key` makes the request safe to send again. */
export function isRepeatable({ method, repeatable }: Pick<WireOperation, 'method' | 'repeatable'>): boolean {
  return method === 'POST' && repeatable !== false;
}
