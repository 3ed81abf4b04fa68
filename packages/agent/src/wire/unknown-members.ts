/**
 * What an older coordinator does not know. One of version 0.1.0 refuses a whole request for a single member that it does not
 * know, and names it. What was named is left out, and the rest is received.
 */
import { ApiError } from '@meshwork/client';

/** What the coordinator calls a member that its version does not have. */
const UNKNOWN = 'is not a known field';

/** Where they are, with `*` for the place in a list: what one item has, the others may have as well. Empty: it is another failure. */
export function unknownMembersIn(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== 'invalid') return [];
  const unknown = error.errors.filter(({ detail }) => detail === UNKNOWN);
  return [...new Set(unknown.map(({ pointer }) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')))];
}

/** A copy without them. */
export function withoutMembers<T>(value: T, members: readonly string[]): T {
  if (members.length === 0) return value;
  return without(value, new Set(members), '') as T;
}

function without(value: unknown, members: ReadonlySet<string>, at: string): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, members, `${at}/*`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !members.has(`${at}/${escaped(name)}`));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, without(member, members, `${at}/${escaped(name)}`)]),
  );
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
