/** Roles: named sets of permissions. The built-in ones come from the contract; custom ones are documents. */
import { pageById } from '@meshwork/service';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import { createRole, deleteRole, replaceRole } from './change-role.ts';
import { findRole, rolesAfter } from './role-record.ts';

export const roles: Area<'roles'> = {
  open: () => ({ serve: ({ mesh }) => ({ handlers: handlersOf(mesh) }) }),
};

function handlersOf(mesh: Mesh): AreaHandlers<'roles'> {
  return {
    'roles.list': (call) => ({
      body: pageById('roles.list', call.query, {
        walk: (after) => rolesAfter(mesh.model, after),
        keep: () => true,
        show: ({ role }) => role,
      }),
    }),
    'roles.create': createRole,
    'roles.show': (call) => {
      const { role, revision } = findRole(mesh.model, call.params.name);
      return { body: role, revision };
    },
    'roles.replace': replaceRole,
    'roles.delete': deleteRole,
  };
}
