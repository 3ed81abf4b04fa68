import { ApiError } from '@meshwork/client';
import type { Shape } from '@meshwork/contract/answers';

/** Throws what a client throws for an answer that is none. */
export function checkShape(shape: Shape, answer: unknown, what: string): void {
  const problem = shape(answer);
  if (problem === undefined) return;
  const detail = `the coordinator answered ${what} with something that makes no sense: ${problem.trimStart()}`;
  throw new ApiError({ status: 200, code: 'unexpected_answer', detail, retryable: true, request_id: null });
}
