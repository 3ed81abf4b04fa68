import {
  BUILT_IN_ROLES,
  covers,
  DELEGATE,
  FLOOR,
  isBuiltInRole,
  isPermission,
  MeshError,
  type Permission,
  type Scope,
} from '@meshwork/contract';
import type { RoleDocument } from '../kinds/roles.ts';
import type { TokenActor } from '../mesh/actor.ts';
import type { View } from '../mesh/model.ts';

const NO_MORE_THAN_THE_FLOOR: ReadonlySet<Permission> = new Set(FLOOR);
const builtIn = new Map(
  Object.entries(BUILT_IN_ROLES).map(([name, role]) => [name, new Set<Permission>([...FLOOR, ...role.permissions])]),
);
const custom = new WeakMap<RoleDocument, ReadonlySet<Permission>>();

/** Undefined when there is no such role. */
export function permissionsOfRole(view: View, name: string): ReadonlySet<Permission> | undefined {
  if (isBuiltInRole(name)) return builtIn.get(name);
  const role = view.get('role', name)?.body;
  if (role === undefined) return undefined;
  let permissions = custom.get(role);
  if (permissions === undefined) {
    permissions = new Set<Permission>([...FLOOR, ...role.permissions.filter(isGrantable)]);
    custom.set(role, permissions);
  }
  return permissions;
}

/** Also where a role was written by a caller who may write anything: a custom role never acts for people. */
function isGrantable(text: string): text is Permission {
  return isPermission(text) && text !== DELEGATE;
}

/** What a holder of the role may do now. A role that is gone leaves only the floor. */
export function grantedBy(view: View, role: string): ReadonlySet<Permission> {
  return permissionsOfRole(view, role) ?? NO_MORE_THAN_THE_FLOOR;
}

/** No caller grants more than it has: throws unless the actor covers both the permissions and the scope. */
export function ensureCovers(
  actor: TokenActor,
  wanted: { readonly permissions: ReadonlySet<string>; readonly scope: Scope },
): void {
  if (!covers(actor.scope, wanted.scope)) {
    throw new MeshError(
      'exceeds_own_rights',
      `The scope ${scopeText(wanted.scope)} is wider than that of the caller, ${scopeText(actor.scope)}.`,
    );
  }
  ensureHolds(actor, wanted.permissions);
}

export function ensureHolds(actor: TokenActor, permissions: ReadonlySet<string>): void {
  const held: ReadonlySet<string> = actor.permissions;
  const missing = [...permissions].filter((permission) => !held.has(permission));
  if (missing.length === 0) return;
  throw new MeshError('exceeds_own_rights', `The caller, a ${actor.role}, itself lacks ${missing.join(', ')}.`);
}

function scopeText({ team, surface, environment }: Scope): string {
  return `${team}/${surface}/${environment}`;
}
