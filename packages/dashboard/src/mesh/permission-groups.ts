/** Permissions as people look for them: by area, in the order in which the coordinator lists them. */
import type { PermissionInfo } from '@meshwork/contract';

interface PermissionGroup {
  readonly area: string;
  readonly permissions: readonly PermissionInfo[];
}

export function groupPermissions(permissions: readonly PermissionInfo[]): readonly PermissionGroup[] {
  const groups = new Map<string, PermissionInfo[]>();
  for (const permission of permissions) {
    const area = permission.name.slice(0, permission.name.indexOf(':'));
    const group = groups.get(area);
    if (group === undefined) groups.set(area, [permission]);
    else group.push(permission);
  }
  return [...groups].map(([area, members]) => ({ area, permissions: members }));
}

/** Not assignable: the first is part of every role, the second belongs to the panel alone. */
const NOT_CHOSEN = new Set(['self:read', 'tokens:delegate']);

/** What a custom role can be made of. */
export function choosable(permissions: readonly PermissionInfo[]): readonly PermissionInfo[] {
  return permissions.filter(({ name }) => !NOT_CHOSEN.has(name));
}
