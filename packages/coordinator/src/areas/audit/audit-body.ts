import { type AuditBody, AuditEntry } from '@meshwork/contract';
import type { Entry } from '@meshwork/store';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

const { id, at, action, outcome, count, target, scope, detail, changes } = AuditEntry.properties;
/** Of any kind: a newer coordinator on the same store may know kinds of actors that this version does not. */
const actor = Type.Object({ kind: Type.String(), id: Type.Union([Type.String(), Type.Null()]), name: Type.String() });

/**
 * What readers lean on, here and in the programs that ask. More than this may stand there or be absent: entries are
 * kept for long, and other versions write them too.
 */
const text = Compile(Type.Object({ id, at, action, outcome, count, actor, target, scope, detail, changes }));

/** What an entry says. Undefined: its text is not that of an audit entry, so it was not written by a coordinator. */
export function bodyOf(entry: Entry): AuditBody | undefined {
  try {
    const body: unknown = JSON.parse(entry.body);
    return text.Check(body) ? (body as AuditBody) : undefined;
  } catch {
    return undefined; // shown and reported as unreadable
  }
}
