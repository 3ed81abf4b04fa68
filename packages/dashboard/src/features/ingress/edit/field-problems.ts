/** Which field of the form an answer of the coordinator is about. */
import { ApiError } from '@meshwork/client';

/** Refusals that are about the host name, and name no field. */
const ABOUT_HOSTNAME: readonly string[] = ['already_exists', 'not_owner'];

/** What is wrong at this place or below it. Null: nothing is. */
export function problemAt(error: unknown, pointer: string): string | null {
  if (!(error instanceof ApiError)) return null;
  if (pointer === '/hostname' && ABOUT_HOSTNAME.includes(error.code)) return error.detail;
  const found = error.errors.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  return found?.detail ?? null;
}
