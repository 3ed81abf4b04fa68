import { GRANTABLE_PERMISSIONS, type Permission } from './permissions.ts';

/** What every valid credential may do, whatever its role. */
export const FLOOR: readonly Permission[] = ['self:read'];

const reads = GRANTABLE_PERMISSIONS.filter((permission) => permission.endsWith(':read'));
const without = (all: readonly Permission[], ...some: readonly Permission[]) =>
  all.filter((permission) => !some.includes(permission));

/** The roles that are always there. They cannot be changed or deleted; custom ones stand beside them. */
export const BUILT_IN_ROLES = {
  owner: { description: 'Everything, except to act for others.', permissions: GRANTABLE_PERMISSIONS },
  operator: {
    description:
      'Runs the mesh day to day; cannot change roles, people or settings, export the key of the root, or create tokens that outlive its own.',
    permissions: without(
      GRANTABLE_PERMISSIONS,
      'users:write',
      'roles:write',
      'settings:write',
      'tokens:outlive',
      'ca:export',
    ),
  },
  enroller: {
    description: 'Enrols nodes, and nothing else.',
    permissions: ['self:read', 'nodes:read', 'nodes:enroll'],
  },
  pipeline: {
    description: 'Deploys behind the ingress and reads the mesh. Cannot enrol nodes.',
    permissions: [
      'self:read',
      'nodes:read',
      'operations:read',
      'peers:read',
      'acls:read',
      'relays:read',
      'ingress:read',
      'ingress:write',
      'events:read',
    ],
  },
  monitoring: {
    description: 'Monitors the mesh. Writes nothing, and cannot read the policy.',
    permissions: [
      'self:read',
      'metrics:read',
      'events:read',
      'nodes:read',
      'operations:read',
      'peers:read',
      'relays:read',
      'ingress:read',
    ],
  },
  auditor: {
    description: 'Reads everything, the audit trail included, and checks its chain. Writes nothing.',
    permissions: [...reads, 'audit:verify'],
  },
  viewer: {
    description: 'Reads the mesh, but neither credentials nor the audit trail. The role of a token that names none.',
    permissions: without(reads, 'audit:read', 'tokens:read', 'users:read', 'metrics:read'),
  },
  visitor: {
    description:
      'Enters services that ask people to sign in, and sees nothing of the mesh. For people who are no operators.',
    permissions: ['self:read'],
  },
  panel: {
    description:
      'Acts for the people who are signed in, and does nothing in its own name. Only the coordinator itself creates a token with this role.',
    // `tokens:rotate` is for its own token alone: see `packages/coordinator/src/areas/tokens/rotate-token.ts`.
    permissions: ['self:read', 'roles:read', 'tokens:delegate', 'tokens:rotate'],
  },
} as const satisfies Record<string, { description: string; permissions: readonly Permission[] }>;

export type BuiltInRole = keyof typeof BUILT_IN_ROLES;

export function isBuiltInRole(name: string): name is BuiltInRole {
  return Object.hasOwn(BUILT_IN_ROLES, name);
}

/** The role of a token that names none and whose surface is in no table. */
export const DEFAULT_ROLE: BuiltInRole = 'viewer';

/** Which role a token without one gets, by its surface, until the settings say otherwise. */
export const DEFAULT_SURFACE_ROLES: Readonly<Record<string, BuiltInRole>> = {
  git: 'pipeline',
  ci: 'pipeline',
  monitoring: 'monitoring',
};
