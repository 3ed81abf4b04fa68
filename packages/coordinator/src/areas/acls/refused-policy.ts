import { type FailedTest, MeshError } from '@meshwork/contract';
import type { Trial } from './trial.ts';

/** With everything that is wrong with the text. */
export function unreadable({ problems, more }: Extract<Trial, { ok: false }>): MeshError {
  const [first] = problems;
  const rest = problems.length + more - 1;
  const where = first?.line === undefined ? '' : `Line ${first.line}, column ${first.column}: `;
  const detail = `${where}${first?.detail ?? 'It cannot be read.'}${rest > 0 ? ` And ${rest} more.` : ''}`;
  return new MeshError('policy_invalid', detail, { errors: [...problems] });
}

export function failing(failed: readonly FailedTest[]): MeshError {
  const errors = failed.map(({ test, detail }) => ({ pointer: `/tests/${test}`, detail }));
  const rest = failed.length > 1 ? ` And ${failed.length - 1} more.` : '';
  return new MeshError('policy_tests_failed', `Test ${failed[0]?.test}: ${failed[0]?.detail}${rest}`, { errors });
}
