/** What can be said about anything that went wrong, in the words that the other side used. */
import { ApiError, UnreachableError } from '@meshwork/client';
import type { FieldError } from '@meshwork/contract';

interface SaidOfError {
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Null: there was no response. */
  readonly request_id: string | null;
}

export function saidOfError(error: unknown): SaidOfError {
  if (error instanceof ApiError) {
    const title = error.problem?.title ?? 'Unexpected response';
    return { title, detail: error.detail, errors: error.errors, request_id: error.request_id };
  }
  if (error instanceof UnreachableError) {
    const detail = 'The panel is not responding. It may be restarting, or the network may be down.';
    return { title: 'Panel unreachable', detail, errors: [], request_id: null };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: 'Something went wrong', detail, errors: [], request_id: null };
}

/** What is wrong with one field of a form. Undefined: nothing is. */
export function fieldError(error: unknown, pointer: string): string | undefined {
  return error instanceof ApiError ? error.errors.find((one) => one.pointer === pointer)?.detail : undefined;
}
