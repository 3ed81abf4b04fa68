import { ActorRef, PersonRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { NameOf } from '../../event-data.ts';
import { type Id, idPattern, idsPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Tag } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { VISIBLE_TEXT } from '../../visible-text.ts';
import { MAX_TAGS } from '../nodes/vocabulary.ts';
import { RoleName } from '../roles/index.ts';
import { ROLE_NAME_PATTERN } from '../roles/vocabulary.ts';
import { DEFAULT_ROTATION_DEADLINE_S, MAX_ROTATION_DEADLINE_S, TOKEN_STATES, tokenVocabulary } from './vocabulary.ts';

const TokenName = Type.String({ minLength: 1, maxLength: 100, pattern: VISIBLE_TEXT, description: 'Human label.' });
const TokenIdText = Type.String({ pattern: idPattern('token'), description: 'Names the token, and is no secret.' });

export type TokenId = Id<'token'>;
export const TokenStateText = Type.Enum(TOKEN_STATES, {
  description:
    '`retiring`: rotated, and good until `retires_at`. `used_up`: has enrolled all the nodes it was made for. `expired`: past `expires` or `retires_at`.',
});

const tokenFields = {
  id: TokenIdText,
  name: TokenName,
  scope: Scope,
  role: RoleName,
  permissions: Type.Array(Type.String(), {
    description: 'What it may do now: what its role allows, and what made it may do as well.',
  }),
  state: TokenStateText,
  expires: Timestamp('When it stops being good.'),
  created_at: Timestamp('When it was made.'),
  created_by: ActorRef,
  last_used_at: maybe(
    Timestamp('To within a few seconds. Null: never used, or it acts for a person, whose use is not recorded.'),
  ),
  retires_at: maybe(Timestamp('Set once it was rotated: until then it is good.')),
  rotated_from: Type.Union([TokenIdText, Type.Null()], { description: 'The token that this one replaces.' }),
  rotated_to: Type.Union([TokenIdText, Type.Null()], { description: 'The token that replaces this one.' }),
  revoked_at: maybe(Timestamp('When it was revoked. Null: it was not.')),
  uses_left: Type.Union([Type.Integer(), Type.Null()], { description: 'Nodes it may still enrol. Null: any number.' }),
  on_behalf_of: maybe(PersonRef, 'The person it acts for. Null: none.'),
  tags: Type.Array(Tag, {
    description: 'Tags it may put on nodes inside its scope although its scope does not own them. Mostly empty.',
  }),
};

export const Token = named('Token', Type.Object(tokenFields, { additionalProperties: false }));
export type Token = Static<typeof Token>;

export const TokenWithSecret = named(
  'TokenWithSecret',
  Type.Object(
    { ...tokenFields, secret: Type.String({ description: 'The credential itself. Shown here and never again.' }) },
    { additionalProperties: false },
  ),
);
export type TokenWithSecret = Static<typeof TokenWithSecret>;

const TokenRequest = Strict({
  name: TokenName,
  scope: Scope,
  expires: Timestamp(
    'In the future, at most as far ahead as the settings allow (366 days unless changed), and no later than the token that makes it, unless that has `tokens:outlive`.',
  ),
  role: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Absent: the role that the settings give to this surface, else viewer.',
    }),
  ),
  uses: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many nodes it may enrol. Absent: any number. Only for a role that may enrol.',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Tag, {
      maxItems: MAX_TAGS,
      uniqueItems: true,
      description:
        'Tags it may put on nodes inside its scope although its scope does not own them, such as `role:dba`. The caller must be allowed to set each. Absent: none. Only for a role that can enrol or re-tag nodes.',
    }),
  ),
});

const RotateRequest = Strict({
  deadline_s: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ROTATION_DEADLINE_S,
      default: DEFAULT_ROTATION_DEADLINE_S,
      description: 'How long the old secret stays good. 0 ends it at once.',
    }),
  ),
  expires: Type.Optional(Timestamp('Absent: as long again as the old one was made for, or until what made it ends.')),
});

const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the token.' }) });

export const exampleToken: Token = {
  id: 'token_01jcqv5s3ee3xv9k7d0w8m2b4n',
  name: 'ci deploy',
  scope: { team: 'platform', surface: 'git', environment: 'production' },
  role: 'pipeline',
  permissions: ['self:read', 'nodes:read', 'ingress:write'],
  state: 'active',
  expires: '2027-01-31T00:00:00Z',
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'bootstrap' },
  last_used_at: null,
  retires_at: null,
  rotated_from: null,
  rotated_to: null,
  revoked_at: null,
  uses_left: null,
  on_behalf_of: null,
  tags: [],
};
export const exampleSecret = 'mesh_01jcqv5s3ee3xv9k7d0w8m2b4n_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA_00000000';

const tokenOperations = defineOperations({
  'tokens.create': {
    method: 'POST',
    path: '/v1/auth/tokens',
    summary: 'Create a scoped token',
    description:
      'The answer is the only place where the secret is ever shown. A new token cannot exceed the permissions and scope of the caller, nor, without `tokens:outlive`, the expiry of the token that creates it. People who are signed in are bounded by the settings alone.',
    permission: 'tokens:create',
    reach: 'scoped',
    confirmed: true,
    body: TokenRequest,
    versioned: true,
    answer: { status: 201, description: 'The new token, with its secret.', schema: TokenWithSecret },
    errors: ['exceeds_own_rights', 'not_owner', 'too_many'],
    example: {
      body: { name: 'ci deploy', scope: exampleToken.scope, expires: '2027-01-31T00:00:00Z' },
      answer: { ...exampleToken, secret: exampleSecret },
    },
  },
  'tokens.list': {
    method: 'GET',
    path: '/v1/auth/tokens',
    summary: 'List tokens',
    description:
      'Those within your scope, oldest first. Tokens of people who are signed in are listed only with `people=true`.',
    permission: 'tokens:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      state: Type.Optional(TokenStateText),
      role: Type.Optional(Type.String({ pattern: ROLE_NAME_PATTERN, description: 'Only tokens with this role.' })),
      q: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name, in any case.' })),
      made_by: Type.Optional(
        Type.String({
          pattern: idsPattern('user', 'token'),
          description: 'Only those that this person or token made, also through tokens that they made.',
        }),
      ),
      parent: Type.Optional(
        Type.String({
          pattern: idsPattern('user', 'token'),
          description:
            'Only those that this person or token made itself, or rotated last. Rotations of a token count as one.',
        }),
      ),
      people: Type.Optional(
        Type.Boolean({ description: 'True: also those that act for people who are signed in to the panel.' }),
      ),
    }),
    answer: { status: 200, description: 'A page of tokens.', schema: Page(Token) },
    errors: [],
    example: { query: { state: 'active', limit: 1 }, answer: { items: [exampleToken], next_cursor: null } },
  },
  'tokens.show': {
    method: 'GET',
    path: '/v1/auth/tokens/{id}',
    summary: 'Show a token',
    permission: 'tokens:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The token.', schema: Token },
    errors: [],
    example: { params: { id: exampleToken.id }, answer: exampleToken },
  },
  'tokens.rotate': {
    method: 'POST',
    path: '/v1/auth/tokens/{id}/rotate',
    summary: 'Rotate a token',
    description:
      'Makes a successor with a new id and secret, the same name, scope, role and tags. The old one is `retiring`: good until the deadline, then expired. A token that rotates itself stays within the bounds of its creator; a caller that rotates another token becomes its creator, and bounds it from then on. A successor that ends earlier takes what it made along to the new end. A token that acts for a person is not rotated: the panel creates a new one.',
    permission: 'tokens:rotate',
    reach: 'scoped',
    confirmed: true,
    params: byId,
    body: RotateRequest,
    versioned: true,
    answer: { status: 201, description: 'The successor, with its secret.', schema: TokenWithSecret },
    errors: ['exceeds_own_rights', 'not_owner', 'token_not_active', 'token_delegated', 'token_maker_ended', 'too_many'],
    example: {
      params: { id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt' },
      body: { deadline_s: 3600 },
      answer: { ...exampleToken, rotated_from: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', secret: exampleSecret },
    },
  },
  'tokens.revoke': {
    method: 'DELETE',
    path: '/v1/auth/tokens/{id}',
    summary: 'Revoke a token',
    description:
      'Effective at once, and on every other coordinator within a second; the token it replaced ends with it. Nodes are not touched: a token is not an identity. Tokens that it made go on working until they expire, unless `children` is true. Revoking a revoked token changes nothing, except with `children`.',
    permission: 'tokens:revoke',
    reach: 'scoped',
    params: byId,
    query: Strict({
      children: Type.Optional(
        Type.Boolean({ description: 'True: also revokes every token that it made, and what those made.' }),
      ),
    }),
    versioned: true,
    answer: { status: 200, description: 'The revoked token.', schema: Token },
    errors: [],
    example: {
      params: { id: exampleToken.id },
      answer: { ...exampleToken, state: 'revoked', revoked_at: '2026-11-15T10:00:00Z' },
    },
  },
});

const ExpiringToken = Strict({ name: NameOf('token'), expires: Timestamp('When it stops being good.') });

export const tokensArea = defineArea({
  name: 'tokens',
  title: 'Tokens',
  description: 'Scoped credentials for automation.',
  ...tokenVocabulary,
  bounded: true,
  operations: tokenOperations,
  events: {
    'token.created': { summary: 'A token was created', data: ExpiringToken },
    'token.rotated': {
      summary: 'A token was rotated',
      data: Strict({ name: NameOf('token'), successor: Type.String({ description: 'Id of the successor.' }) }),
    },
    'token.revoked': { summary: 'A token was revoked', data: Strict({ name: NameOf('token') }) },
    'token.expiring': { summary: 'A token expires within a week', data: ExpiringToken },
  },
});
