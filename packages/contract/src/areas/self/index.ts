import { ActorRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { named } from '../../named.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { TokenStateText } from '../tokens/index.ts';
import { selfVocabulary } from './vocabulary.ts';

export const Whoami = named(
  'Whoami',
  Type.Object(
    {
      actor: ActorRef,
      scope: Scope,
      role: Type.String({ description: 'Name of its role.' }),
      permissions: Type.Array(Type.String(), { description: 'What it may do.' }),
      state: TokenStateText,
      expires: Timestamp('When it stops being good.'),
    },
    { additionalProperties: false },
  ),
);
export type Whoami = Static<typeof Whoami>;

export const PermissionInfo = named(
  'Permission',
  Type.Object(
    {
      name: Type.String({ description: '`area:verb`.' }),
      description: Type.String({ description: 'What it allows.' }),
      operations: Type.Array(Type.String(), { description: 'The operations that need it.' }),
      granted: Type.Boolean({ description: 'Whether the caller has it.' }),
    },
    { additionalProperties: false },
  ),
);
export type PermissionInfo = Static<typeof PermissionInfo>;

const selfOperations = defineOperations({
  'self.whoami': {
    method: 'GET',
    path: '/v1/auth/whoami',
    summary: 'Show who you are',
    description: 'The credential of this request, and what it may do.',
    permission: 'self:read',
    reach: 'scoped',
    answer: { status: 200, description: 'The caller.', schema: Whoami },
    errors: [],
    example: {
      answer: {
        actor: { kind: 'token', id: 'token_01jcqv5s3ee3xv9k7d0w8m2b4n', name: 'ci deploy' },
        scope: { team: 'platform', surface: 'git', environment: 'production' },
        role: 'pipeline',
        permissions: ['self:read', 'nodes:read', 'ingress:write'],
        state: 'active',
        expires: '2027-01-31T00:00:00Z',
      } satisfies Whoami,
    },
  },
  'self.permissions': {
    method: 'GET',
    path: '/v1/auth/permissions',
    summary: 'List all permissions',
    description: 'The whole catalogue, with the operations each one opens and whether the caller has it.',
    permission: 'self:read',
    reach: 'scoped',
    answer: {
      status: 200,
      description: 'The catalogue.',
      schema: Strict({
        items: Type.Array(PermissionInfo, { description: 'Every permission there is.' }),
        next_cursor: Type.Null({ description: 'Always null: the catalogue comes whole.' }),
      }),
    },
    errors: [],
    example: {
      answer: {
        items: [
          {
            name: 'tokens:create',
            description: 'Create tokens. They cannot exceed your permissions, scope or expiry.',
            operations: ['tokens.create'],
            granted: true,
          },
        ],
        next_cursor: null,
      },
    },
  },
});

export const selfArea = defineArea({
  name: 'self',
  title: 'Identity',
  description: 'Who the caller is and what it may do.',
  ...selfVocabulary,
  operations: selfOperations,
});
