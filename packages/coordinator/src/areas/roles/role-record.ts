import { BUILT_IN_ROLES, FLOOR, isBuiltInRole, isPermission, MeshError, type Role } from '@meshwork/contract';
import type { RoleDocument } from '../../kinds/roles.ts';
import type { Model, Stored, View } from '../../mesh/model.ts';

export function customRole(stored: Stored<'role'>): Role {
  return shown(stored.id, stored.body, false);
}

/** Every role there is, by name, from just after a given one. */
export function* rolesAfter(model: Model, name: string | undefined): Generator<{ id: string; role: Role }> {
  const builtIn = Object.entries(BUILT_IN_ROLES).map(([id, role]) => shown(id, role, true));
  const custom = [...model.all('role')].map(customRole);
  const byName = [...builtIn, ...custom].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const role of byName) {
    if (name === undefined || role.name > name) yield { id: role.name, role };
  }
}

/** A role with its revision; 0 for a built-in one, which never changes. */
export function findRole(view: View, name: string): { readonly role: Role; readonly revision: number } {
  if (isBuiltInRole(name)) return { role: shown(name, BUILT_IN_ROLES[name], true), revision: 0 };
  const stored = view.get('role', name);
  if (stored === undefined) throw new MeshError('not_found', `There is no role "${name}".`);
  return { role: customRole(stored), revision: stored.revision };
}

function shown(name: string, role: Pick<RoleDocument, 'description' | 'permissions'>, built_in: boolean): Role {
  // A stored role may name what another version knows; it has no meaning here, and could not be sent back.
  const permissions = [...new Set([...FLOOR, ...role.permissions.filter(isPermission)])];
  return { name, description: role.description, permissions, built_in };
}
