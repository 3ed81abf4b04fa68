import type { User } from '@meshwork/contract';
import { scopeText } from '../../rights-text.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';

export function userFields(user: User): string {
  return fields([
    ['id', user.id],
    ['name', user.name],
    ['display name', user.display_name],
    ['state', user.state],
    ['role', user.role],
    ['scope', scopeText(user.scope)],
    ['groups', user.groups.join(', ') || 'none'],
    ...(user.provider_groups.length === 0
      ? []
      : [['groups at the provider', user.provider_groups.join(', ')] as const]),
    ['signs in by', user.signs_in_by.join(', ') || 'nothing yet'],
    ['created', `${when(user.created_at)} by ${user.created_by.name}`],
    ['last seen', user.last_seen_at === null ? 'never' : when(user.last_seen_at)],
  ]);
}
