import { defineArea } from '../../area.ts';
import { named } from '../../named.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { GRANTABLE_PERMISSIONS } from '../../permissions.ts';
import { type Static, Type } from '../../type.ts';
import { VISIBLE_NOTE } from '../../visible-text.ts';
import { ROLE_NAME_PATTERN, roleVocabulary } from './vocabulary.ts';

export const RoleName = Type.String({
  pattern: ROLE_NAME_PATTERN,
  description: 'Lower-case letters, digits and dashes, starting with a letter.',
});
const RoleDescription = Type.String({ maxLength: 500, pattern: VISIBLE_NOTE, description: 'What the role is for.' });
const PermissionList = Type.Array(Type.Enum(GRANTABLE_PERMISSIONS as readonly string[]), {
  uniqueItems: true,
  maxItems: GRANTABLE_PERMISSIONS.length,
  description: 'What the role allows; `self:read` comes with every role.',
});

export const Role = named(
  'Role',
  Type.Object(
    {
      name: RoleName,
      description: RoleDescription,
      permissions: Type.Array(Type.String(), { description: 'What the role allows.' }),
      built_in: Type.Boolean({ description: 'Built-in roles can be neither changed nor deleted.' }),
    },
    { additionalProperties: false },
  ),
);
export type Role = Static<typeof Role>;

const byName = Type.Object({ name: Type.String({ maxLength: 64, description: 'Name of the role.' }) });
const exampleRole: Role = {
  name: 'release-bot',
  description: 'Moves ingresses during a release.',
  permissions: ['nodes:read', 'ingress:read', 'ingress:write'],
  built_in: false,
};
const { name, description, permissions } = exampleRole;

const roleOperations = defineOperations({
  'roles.list': {
    method: 'GET',
    path: '/v1/auth/roles',
    summary: 'List roles',
    description: 'The built-in ones and the custom ones, by name.',
    permission: 'roles:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of roles.', schema: Page(Role) },
    errors: [],
    example: { query: { limit: 1 }, answer: { items: [exampleRole], next_cursor: null } },
  },
  'roles.create': {
    method: 'POST',
    path: '/v1/auth/roles',
    summary: 'Create a custom role',
    permission: 'roles:write',
    reach: 'mesh',
    confirmed: true,
    body: Strict({ name: RoleName, description: Type.Optional(RoleDescription), permissions: PermissionList }),
    versioned: true,
    answer: { status: 201, description: 'The new role.', schema: Role },
    errors: ['already_exists', 'exceeds_own_rights'],
    example: { body: { name, description, permissions }, answer: exampleRole },
  },
  'roles.show': {
    method: 'GET',
    path: '/v1/auth/roles/{name}',
    summary: 'Show a role',
    permission: 'roles:read',
    reach: 'scoped',
    params: byName,
    versioned: true,
    answer: { status: 200, description: 'The role.', schema: Role },
    errors: [],
    example: { params: { name }, answer: exampleRole },
  },
  'roles.replace': {
    method: 'PUT',
    path: '/v1/auth/roles/{name}',
    summary: 'Replace a custom role',
    description: 'Every token with this role has the new permissions at once.',
    permission: 'roles:write',
    reach: 'mesh',
    confirmed: true,
    params: byName,
    body: Strict({ description: Type.Optional(RoleDescription), permissions: PermissionList }),
    versioned: true,
    answer: { status: 200, description: 'The role as it is now.', schema: Role },
    errors: ['exceeds_own_rights', 'role_built_in'],
    example: { params: { name }, body: { description, permissions }, answer: exampleRole },
  },
  'roles.delete': {
    method: 'DELETE',
    path: '/v1/auth/roles/{name}',
    summary: 'Delete a custom role',
    description: 'Refused while a token that still works has it, or the settings name it.',
    permission: 'roles:write',
    reach: 'mesh',
    confirmed: true,
    params: byName,
    versioned: true,
    answer: { status: 204, description: 'It is gone.' },
    errors: ['exceeds_own_rights', 'role_built_in', 'role_in_use'],
    example: { params: { name } },
  },
});

export const rolesArea = defineArea({
  name: 'roles',
  title: 'Roles',
  description: 'Named sets of permissions.',
  ...roleVocabulary,
  operations: roleOperations,
});
