import type { Role } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { permissionFields } from '../../rights-text.ts';
import { fields } from '../../table.ts';
import { setRole } from './set-role.ts';

export const role = noun({
  noun: 'role',
  records: { Role: roleFields },
  commands: {
    'roles.create': { parameters: { permissions: { help: 'its permissions, such as nodes:read' } } },
    'roles.list': {
      columns: [
        ['NAME', ({ name }) => name],
        ['BUILT IN', ({ built_in }) => (built_in ? 'yes' : 'no')],
        ['PERMISSIONS', ({ permissions }) => String(permissions.length)],
        ['DESCRIPTION', ({ description }) => description],
      ],
      ordered: true,
    },
    'roles.replace': setRole,
    'self.permissions': {
      columns: [
        ['PERMISSION', ({ name }) => name],
        ['GRANTED', ({ granted }) => (granted ? 'yes' : 'no')],
        ['DESCRIPTION', ({ description }) => description],
      ],
    },
  },
});

function roleFields({ name, description, built_in, permissions }: Role): string {
  return fields([
    ['name', name],
    ['description', description],
    ['built in', built_in ? 'yes' : 'no'],
    ...permissionFields(permissions),
  ]);
}
