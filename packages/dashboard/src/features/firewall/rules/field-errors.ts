import { ApiError } from '@meshwork/client';

/** What is wrong with a field of a rule, all of it. `at`: where in the request the rule stands. Undefined: nothing is. */
export function errorOf(error: unknown, field: string, at = ''): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const pointer = `${at}/${field}`;
  const own = error.errors.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  return own.length === 0 ? undefined : own.map(({ detail }) => detail).join(' ');
}
