import { ActorRef } from '../actor.ts';
import { RoleName } from '../areas/roles/index.ts';
import { ROLE_NAME_PATTERN } from '../areas/roles/vocabulary.ts';
import { exampleToken, Token } from '../areas/tokens/index.ts';
import { WHOLE_MESH } from '../boundary.ts';
import { type Id, idPattern } from '../ids.ts';
import { GroupName } from '../ingress-sign-in.ts';
import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import { Strict } from '../operation.ts';
import { Page, pageQuery } from '../pages.ts';
import { USER_NAME_PATTERN } from '../person-names.ts';
import { Scope } from '../scope.ts';
import { Timestamp } from '../timestamp.ts';
import { type Static, Type } from '../type.ts';
import { VISIBLE_TEXT } from '../visible-text.ts';
import { definePanelOperations } from './panel-operation.ts';

export const UserName = Type.String({
  pattern: USER_NAME_PATTERN,
  description: 'What the person signs in with: lower-case letters, digits, and `. _ @ + -`.',
});
export type UserId = Id<'user'>;
export const UserIdText = Type.String({
  pattern: idPattern('user'),
  description: 'Identifies the person permanently.',
});
export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: VISIBLE_TEXT,
  description: 'What people call them.',
});

const Groups = Type.Array(GroupName, {
  maxItems: 64,
  uniqueItems: true,
  description: 'Groups that operators put them in. Ingresses that ask for sign-in let members of groups enter.',
});

/** `invited`: has not chosen a password yet. `disabled`: cannot sign in until enabled again. */
const USER_STATES = ['invited', 'active', 'disabled'] as const;

export const User = named(
  'User',
  Type.Object(
    {
      id: UserIdText,
      name: UserName,
      display_name: DisplayName,
      role: RoleName,
      scope: Scope,
      state: Type.Enum(USER_STATES, { description: '`invited`: has not signed in yet. `disabled`: cannot sign in.' }),
      groups: Groups,
      provider_groups: Type.Array(GroupName, {
        description: 'Those that the identity provider named when they last signed in by it. They count like `groups`.',
      }),
      signs_in_by: Type.Array(Type.Enum(['password', 'totp', 'passkey', 'oidc']), {
        description: 'What they prove themselves with.',
      }),
      created_at: Timestamp('When they were invited.'),
      created_by: ActorRef,
      last_seen_at: maybe(Timestamp('To within a minute. Null: never signed in.')),
      tokens_pending: Type.Boolean({
        description: 'True: tokens that they made are still to be ended, as soon as the coordinator answers.',
      }),
    },
    { additionalProperties: false },
  ),
);
export type User = Static<typeof User>;

export const Invitation = named(
  'Invitation',
  Type.Object(
    {
      user: User,
      code: Type.String({ description: 'Opens the account once. Shown here and never again.' }),
      url: Type.String({ description: 'Where the person chooses a password: the panel’s page with the code.' }),
      expires: Timestamp('Until when it can be used.'),
    },
    { additionalProperties: false },
  ),
);
export type Invitation = Static<typeof Invitation>;

/** How long an invitation can be used. */
export const INVITATION_LIFETIME_S = 7 * 24 * 3600;

export const exampleUser: User = {
  id: 'user_01jcqv5s3ee3xv9k7d0w8m2b4n',
  name: 'ada',
  display_name: 'Ada',
  role: 'operator',
  scope: WHOLE_MESH,
  state: 'active',
  groups: ['staff'],
  provider_groups: [],
  signs_in_by: ['password', 'totp'],
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'person', id: 'user_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'grace' },
  last_seen_at: '2026-11-15T09:30:00Z',
  tokens_pending: false,
};
const exampleInvitation: Invitation = {
  user: { ...exampleUser, state: 'invited', signs_in_by: [], last_seen_at: null },
  code: 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA',
  url: 'http://localhost:7480/invitation#EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA',
  expires: '2026-11-22T09:30:00Z',
};

const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the person.' }) });
const keepTokens = Type.Optional(
  Type.Boolean({
    description:
      'True: tokens that they made stay valid. Only for callers who may do all that those tokens may. Absent: they are ended.',
  }),
);

export const userOperations = definePanelOperations({
  'users.list': {
    method: 'GET',
    path: '/api/v1/users',
    summary: 'List people',
    description: 'Those whose scope lies within yours, oldest first.',
    access: 'users:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      state: Type.Optional(Type.Enum(USER_STATES, { description: 'Only people in this state.' })),
      role: Type.Optional(Type.String({ pattern: ROLE_NAME_PATTERN, description: 'Only people with this role.' })),
      q: Type.Optional(Type.String({ maxLength: 100, description: 'Part of either name, in any case.' })),
    }),
    answer: { status: 200, description: 'A page of people.', schema: Page(User) },
    errors: [],
    example: { answer: { items: [exampleUser], next_cursor: null } },
  },
  'users.create': {
    method: 'POST',
    path: '/api/v1/users',
    summary: 'Invite a person',
    description:
      'The answer has a link with which the person chooses a password; it is shown once. The permissions and scope of the person cannot exceed those of the caller.',
    access: 'users:write',
    reach: 'scoped',
    confirmed: true,
    repeatable: false,
    body: Strict({
      name: UserName,
      display_name: Type.Optional(DisplayName),
      role: Type.String({ maxLength: 64, description: 'Name of a role.' }),
      scope: Scope,
      groups: Type.Optional(Groups),
    }),
    versioned: true,
    answer: { status: 201, description: 'The person, and the link to hand over.', schema: Invitation },
    errors: ['already_exists', 'exceeds_own_rights', 'too_many', 'role_reserved'],
    example: {
      body: { name: 'ada', display_name: 'Ada', role: 'operator', scope: WHOLE_MESH },
      answer: exampleInvitation,
    },
  },
  'users.show': {
    method: 'GET',
    path: '/api/v1/users/{id}',
    summary: 'Show a person',
    access: 'users:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The person.', schema: User },
    errors: [],
    example: { params: { id: exampleUser.id }, answer: exampleUser },
  },
  'users.tokens': {
    method: 'GET',
    path: '/api/v1/users/{id}/tokens',
    summary: 'List the tokens that a change would end',
    description:
      'Before a person is disabled, removed or given other rights: what they made, also through tokens they made, and would lose. Without a query it is everything; with one, what exceeds the rights that they would have.',
    access: 'users:write',
    reach: 'scoped',
    params: byId,
    query: Strict({
      role: Type.Optional(
        Type.String({ pattern: ROLE_NAME_PATTERN, description: 'The role they would have. Absent: unchanged.' }),
      ),
      team: Type.Optional(Scope.properties.team),
      surface: Type.Optional(Scope.properties.surface),
      environment: Type.Optional(Scope.properties.environment),
    }),
    answer: {
      status: 200,
      description: 'The tokens that would end.',
      schema: Strict({ items: Type.Array(Token, { description: 'Oldest first.' }) }),
    },
    errors: [],
    example: { params: { id: exampleUser.id }, query: { role: 'viewer' }, answer: { items: [exampleToken] } },
  },
  'users.update': {
    method: 'PATCH',
    path: '/api/v1/users/{id}',
    summary: 'Change a person',
    description:
      'A new role or scope holds at once, in every open session. Tokens that the person made and that exceed it are ended, all of them when the person is disabled, unless `keep_tokens` is true; enabling the person again does not bring them back. Groups count in the whole mesh, so they are changed by those whose scope is all of it. Your own role, scope and state cannot be changed, nor a person whose permissions or scope exceed yours.',
    access: 'users:write',
    reach: 'scoped',
    confirmed: true,
    params: byId,
    body: Strict({
      display_name: Type.Optional(DisplayName),
      role: Type.Optional(Type.String({ maxLength: 64, description: 'Name of a role.' })),
      scope: Type.Optional(Scope),
      groups: Type.Optional(Groups),
      disabled: Type.Optional(Type.Boolean({ description: 'True ends all their sessions, and they cannot sign in.' })),
      keep_tokens: keepTokens,
    }),
    versioned: true,
    answer: { status: 200, description: 'The person as they are now.', schema: User },
    errors: ['exceeds_own_rights', 'last_owner', 'role_reserved'],
    example: { params: { id: exampleUser.id }, body: { role: 'auditor' }, answer: { ...exampleUser, role: 'auditor' } },
  },
  'users.remove': {
    method: 'DELETE',
    path: '/api/v1/users/{id}',
    summary: 'Remove a person',
    description:
      'Ends all their sessions, and the tokens that they made unless `keep_tokens` is true. What they did stays in the audit trail under their name.',
    access: 'users:write',
    reach: 'scoped',
    confirmed: true,
    params: byId,
    query: Strict({ keep_tokens: keepTokens }),
    versioned: true,
    answer: { status: 204, description: 'They are gone.' },
    errors: ['exceeds_own_rights', 'last_owner'],
    example: { params: { id: exampleUser.id } },
  },
  'users.invite_again': {
    method: 'POST',
    path: '/api/v1/users/{id}/invitation',
    summary: 'Invite a person again',
    description:
      'For a person who lost their password or second factor: ends their sessions, forgets how they signed in, and returns a new link, once.',
    access: 'users:write',
    reach: 'scoped',
    confirmed: true,
    repeatable: false,
    params: byId,
    body: Strict({}),
    versioned: true,
    answer: { status: 201, description: 'The new link.', schema: Invitation },
    errors: ['exceeds_own_rights', 'last_owner'],
    example: { params: { id: exampleUser.id }, body: {}, answer: exampleInvitation },
  },
});
