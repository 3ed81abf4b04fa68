import { ApiError } from '@meshwork/client';

/** What is wrong at this place or below it. Null: nothing is. */
export function problemAt(error: unknown, pointer: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const found = error.errors.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  if (found !== undefined) return found.detail;
  // That a name is taken is about no other field.
  return error.code === 'already_exists' && error.errors.length === 0 && pointer === '/name' ? error.detail : null;
}
