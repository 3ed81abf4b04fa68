import { isDeepStrictEqual } from 'node:util';
import { isBuiltInRole, MeshError } from '@meshwork/contract';
import { ensureHolds, permissionsOfRole } from '../../access/rights.ts';
import { tokenState, works } from '../../access/token-state.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { customRole } from './role-record.ts';

export function createRole(call: Call<'roles.create'>): Promise<Reply<'roles.create'>> {
  const { name, description = '', permissions } = call.body;
  return call.transact((tx, actor) => {
    if (isBuiltInRole(name)) throw new MeshError('already_exists', `There already is a built-in role "${name}".`);
    ensureHolds(actor, new Set(permissions));
    const role = tx.create('role', name, { description, permissions });
    tx.record({ target: { kind: 'role', id: name } });
    return { body: customRole(role), revision: role.revision, location: `/v1/auth/roles/${name}` };
  });
}

export function replaceRole(call: Call<'roles.replace'>): Promise<Reply<'roles.replace'>> {
  const { description = '', permissions } = call.body;
  return call.transact((tx, actor) => {
    const old = changeableRole(tx, call.params.name, actor);
    ensureMatches(old, call.if_match);
    ensureHolds(actor, new Set(permissions));
    if (isDeepStrictEqual(old.body, { description, permissions }))
      return { body: customRole(old), revision: old.revision };
    const role = tx.put('role', old.id, { description, permissions });
    tx.record({ target: { kind: 'role', id: old.id } });
    return { body: customRole(role), revision: role.revision };
  });
}

export function deleteRole(call: Call<'roles.delete'>): Promise<Reply<'roles.delete'>> {
  return call.transact((tx, actor) => {
    const role = changeableRole(tx, call.params.name, actor);
    ensureMatches(role, call.if_match);
    ensureUnused(tx, role.id);
    tx.delete('role', role.id);
    tx.record({ target: { kind: 'role', id: role.id } });
    return { body: undefined };
  });
}

/** A custom role that is no stronger than the caller: weakening others' rights takes as much as granting them. */
function changeableRole(tx: Transaction, name: string, actor: TokenActor): Stored<'role'> {
  if (isBuiltInRole(name))
    throw new MeshError('role_built_in', `"${name}" is built in and can be neither changed nor deleted.`);
  const role = tx.get('role', name);
  if (role === undefined) throw new MeshError('not_found', `There is no role "${name}".`);
  ensureHolds(actor, permissionsOfRole(tx, name) ?? new Set());
  return role;
}

/** Deleting a role under a working token would silently take its rights away. */
function ensureUnused(tx: Transaction, name: string): void {
  for (const token of tx.all('token')) {
    if (token.body.role === name && works(tokenState(token.body, tx.now_ms))) {
      throw new MeshError('role_in_use', `The token ${token.id} ("${token.body.name}") still has the role "${name}".`);
    }
  }
  const surface = Object.entries(settingsOf(tx).tokens.surface_roles).find(([, role]) => role === name)?.[0];
  if (surface !== undefined) {
    throw new MeshError('role_in_use', `The settings give the role "${name}" to tokens of the surface "${surface}".`);
  }
}
