import type { FieldError, Problem } from '@meshwork/contract';

interface ApiErrorFacts {
  readonly status: number;
  /** A code of the contract's `ERRORS`, or one of ours: `unexpected_answer`, `redirect_refused`. */
  readonly code: string;
  readonly detail: string;
  readonly retryable: boolean;
  readonly request_id: string | null;
  readonly retry_after_s?: number | null;
  readonly problem?: Problem | null;
  readonly body?: unknown;
}

/** The server answered with an error. Decide by `code` and `retryable`, never by the text. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Null: the answer did not come from a coordinator, or from one that broke off early. */
  readonly request_id: string | null;
  /** Whether the very same request may succeed later. */
  readonly retryable: boolean;
  readonly retry_after_s: number | null;
  /** The document as it came. Null: the answer was none, and came perhaps from a proxy in between. */
  readonly problem: Problem | null;
  /** What came instead of a problem, when it was JSON: the reasons of `meta.ready`, for one. */
  readonly body: unknown;

  constructor(facts: ApiErrorFacts) {
    super(facts.detail);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.errors = facts.problem?.errors ?? [];
    this.request_id = facts.request_id;
    this.retryable = facts.retryable;
    this.retry_after_s = facts.retry_after_s ?? null;
    this.problem = facts.problem ?? null;
    this.body = facts.body;
  }
}
