import type { Token } from '@meshwork/contract';
import { fromNow } from '../../duration.ts';
import { permissionFields, scopeText } from '../../rights-text.ts';
import { fields } from '../../table.ts';

/** A token for people: what is null is left out, except whether it was ever used. */
export function tokenFields(token: Token): string {
  const when = (timestamp: string) => `${timestamp} (${fromNow(timestamp, Date.now())})`;
  const { created_by } = token;
  const pairs: [string, string | null][] = [
    ['id', token.id],
    ['name', token.name],
    ['state', token.state],
    ['role', token.role],
    ['scope', scopeText(token.scope)],
    ['expires', when(token.expires)],
    ['retires', token.retires_at && when(token.retires_at)],
    ['revoked', token.revoked_at && when(token.revoked_at)],
    ['created', `${when(token.created_at)} by ${makerText(created_by)}`],
    ['last used', token.last_used_at === null ? 'never' : when(token.last_used_at)],
    // A coordinator of an older version says nothing of tags.
    ['tags', token.tags?.join(', ') || null],
    ['uses left', token.uses_left === null ? null : String(token.uses_left)],
    ['rotated from', token.rotated_from],
    ['rotated to', token.rotated_to],
    ...permissionFields(token.permissions),
  ];
  return fields(pairs.filter((pair): pair is [string, string] => pair[1] !== null));
}

/** A token that made it is named by its id too: its name alone finds nothing. */
function makerText({ kind, id, name }: Token['created_by']): string {
  return kind === 'token' && id !== null ? `${name} (${id})` : name;
}
