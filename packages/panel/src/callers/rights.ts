/** A caller may only create, change or remove people whose permissions and scope are within their own. */
import {
  covers,
  DELEGATE,
  invalid,
  isWholeMesh,
  MeshError,
  type Permission,
  roleReserved,
  type Scope,
} from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';
import type { Transaction } from '../ledger/transaction.ts';
import type { PersonAccess } from '../sessions/person-access.ts';
import { type Caller, isPerson } from './caller.ts';

/** The permissions of roles, fetched before a transaction, which cannot wait. */
type RolePermissions = ReadonlyMap<string, ReadonlySet<Permission>>;

/** A role that no longer exists has no permissions. */
export async function permissionsOfRoles(access: PersonAccess, roles: Iterable<string>): Promise<RolePermissions> {
  const given = new Map<string, ReadonlySet<Permission>>();
  for (const role of roles) given.set(role, (await access.permissionsOfRole(role)) ?? new Set());
  return given;
}

/** A role must exist before a person gets it. The role `panel` is reserved for the panel itself. */
export async function ensureRole(access: PersonAccess, role: string): Promise<void> {
  const permissions = await access.permissionsOfRole(role);
  if (permissions?.has(DELEGATE) === true) throw roleReserved(role);
  if (permissions === null) {
    throw invalid('/role', `is "${role}", which is not the name of a role that people can have`);
  }
}

/**
 * Checks the caller again inside the transaction: their role may have changed since the request came in. The coordinator answers for
 * tokens, and did so when the request came in.
 */
export function ensureUnchanged(tx: Transaction, caller: Caller): void {
  if (!isPerson(caller)) return;
  const { user, session } = caller;
  const current = tx.get('user', user.id)?.body;
  const { role, scope } = user.body;
  const isSame = current?.state === 'active' && current.role === role && sameScope(current.scope, scope);
  if (isSame && tx.get('session', session.id) !== undefined) return;
  throw new MeshError('permission_denied', 'Your permissions have just changed. Try again.');
}

/** A person outside the caller's scope is not found. */
export function ensureVisible(person: Caller, target: Stored<'user'> | undefined): Stored<'user'> {
  if (target !== undefined && covers(person.scope, target.body.scope)) return target;
  const options = target === undefined ? {} : ({ refused_as: 'outside_scope' } as const);
  throw new MeshError('not_found', 'There is no such person in your scope.', options);
}

export function ensureNoStronger(person: Caller, role: string, scope: Scope, roles: RolePermissions): void {
  if (!covers(person.scope, scope)) {
    throw new MeshError('exceeds_own_rights', 'The scope is wider than your own.');
  }
  const given = roles.get(role);
  if (given === undefined) throw new MeshError('permission_denied', 'Their role has just changed. Try again.');
  const beyond = [...given].find((permission) => !person.permissions.has(permission));
  if (beyond === undefined) return;
  throw new MeshError('exceeds_own_rights', `The role ${role} has ${beyond}, which yours lacks.`);
}

/** Groups let people into services of every part of the mesh. */
export function ensureMayGroup(person: Caller): void {
  if (isWholeMesh(person.scope)) return;
  throw new MeshError('exceeds_own_rights', 'Groups count in the whole mesh, and your scope is a part of it.');
}

function sameScope(one: Scope, other: Scope): boolean {
  return covers(one, other) && covers(other, one);
}
