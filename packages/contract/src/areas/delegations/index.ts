/**
 * How people act on the mesh: the panel, where they sign in, requests a short-lived token for each of them, with their role
 * and scope. A request with that token is a request of that person (docs/decisions/0027).
 */

import { ActorRef, PersonRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { GroupName } from '../../ingress-sign-in.ts';
import { maybe } from '../../maybe.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { USER_NAME_PATTERN } from '../../person-names.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { ATTESTED_TEXT } from '../../visible-text.ts';
import { HOST_PATTERN } from '../relays/index.ts';
import { exampleSecret, exampleToken, Token, TokenWithSecret } from '../tokens/index.ts';

const MIN_DELEGATION_S = 60;
export const MAX_DELEGATION_S = 3600;
export const DEFAULT_DELEGATION_S = 900;

export const DelegationRequest = Strict({
  person: PersonRef,
  role: Type.String({ maxLength: 64, description: 'Their role. Not `panel`.' }),
  scope: Scope,
  address: Type.Optional(
    maybe(
      Type.String({ pattern: '^[0-9A-Fa-f:.]{2,45}$' }),
      'The IP address of their browser, for the audit trail. Null or absent: not known.',
    ),
  ),
  lifetime_s: Type.Optional(
    Type.Integer({
      minimum: MIN_DELEGATION_S,
      maximum: MAX_DELEGATION_S,
      default: DEFAULT_DELEGATION_S,
      description: 'How long the token is good.',
    }),
  ),
});

/** What a person may still do after a change of their rights. */
const RightsLimit = Strict(
  {
    role: Type.String({ maxLength: 64, description: 'Their role from now on.' }),
    scope: Scope,
  },
  { description: 'What they may do from now on: tokens that may do more are ended.' },
);

/** Who decided it, as the panel knows them: a person, a token that administers people, or the panel itself. */
const DecidedBy = Strict(
  {
    kind: ActorRef.properties.kind,
    id: ActorRef.properties.id,
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: ATTESTED_TEXT,
      description: 'The label it had then.',
    }),
  },
  { description: 'Who decided it.' },
);

/** Ours: providers name hundreds of groups for some people. */
const MAX_GROUPS = 500;

const PassRequest = Strict({
  person: PersonRef,
  user: Type.String({ pattern: USER_NAME_PATTERN, description: 'What they sign in with.' }),
  groups: Type.Array(GroupName, { maxItems: MAX_GROUPS, description: 'All that they are in.' }),
  scope: Scope,
  hostname: Type.String({ maxLength: 253, pattern: HOST_PATTERN, description: 'Host name of the ingress.' }),
  state: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'SHA-256, as base64url, of the secret that the gateway gave their browser.',
  }),
  address: Type.Optional(
    maybe(
      Type.String({ pattern: '^[0-9A-Fa-f:.]{2,45}$' }),
      'The IP address of their browser, for the audit trail. Null or absent: not known.',
    ),
  ),
});

const Pass = Strict({
  pass: Type.String({
    description: 'Signed by the coordinator. Good only with the secret that `state` is the hash of.',
  }),
  url: Type.String({ description: 'Where the gateway takes it.' }),
  expires: Timestamp('Until when the gateway takes it.'),
});

const PanelPlace = Strict({
  url: Type.String({
    maxLength: 300,
    pattern:
      '^https?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?$|^https?://\\[[0-9A-Fa-f:.]+\\](?::[0-9]{1,5})?$',
    description: 'Where people reach the panel: scheme, host and port.',
  }),
});

export const RetireRequest = Strict({
  person: PersonRef,
  by: DecidedBy,
  address: Type.Optional(
    maybe(
      Type.String({ pattern: '^[0-9A-Fa-f:.]{2,45}$' }),
      'The IP address that the decision came from, for the audit trail. Null or absent: not known.',
    ),
  ),
  limit: Type.Union([RightsLimit, Type.Null()], {
    description: 'Only tokens that are stronger or wider than this end. Null: all of them.',
  }),
  keep_tokens: Type.Optional(
    Type.Boolean({ description: 'True: only their sessions at ingresses end, and all tokens stay.' }),
  ),
  preview: Type.Optional(Type.Boolean({ description: 'True: only list which would end.' })),
});
export type RetireRequest = Static<typeof RetireRequest>;

export type DelegationRequest = Static<typeof DelegationRequest>;

const person = { id: 'user_01jcqv4d2ye8r9k7d0w8m2b4np', name: 'Ada Lovelace' };
const example = { person, role: 'operator', scope: exampleToken.scope };

const delegationOperations = defineOperations({
  'delegations.create': {
    method: 'POST',
    path: '/v1/auth/delegations',
    summary: 'Create a token that acts for a person',
    description:
      'For the panel, once a person has signed in. What is done with the token is done by that person: the audit trail, operations and policy versions name them. It cannot be rotated, and cannot act for another person. The answer is the only place where the secret is ever shown.',
    permission: 'tokens:delegate',
    reach: 'mesh',
    body: DelegationRequest,
    versioned: true,
    answer: { status: 201, description: 'The new token, with its secret.', schema: TokenWithSecret },
    errors: ['role_reserved'],
    example: {
      body: { ...example, address: '192.0.2.40', lifetime_s: DEFAULT_DELEGATION_S },
      answer: {
        ...exampleToken,
        name: person.name,
        role: 'operator',
        expires: '2026-11-15T09:45:00Z',
        created_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'panel' },
        on_behalf_of: person,
        secret: exampleSecret,
      },
    },
  },
  'delegations.retire': {
    method: 'POST',
    path: '/v1/auth/delegations/retire',
    summary: 'End the tokens that a person made',
    description:
      'For the panel, when a person is disabled, removed or given other rights: ends the tokens that they made or rotated, what was made with those, and the ones that act for them, as far as they exceed what the person may still do. Their sessions at ingresses that ask for sign-in end in any case; they may begin new ones as far as they still may enter. All in one commit, which the audit trail attributes to `by`.',
    permission: 'tokens:delegate',
    reach: 'mesh',
    repeatable: false,
    body: RetireRequest,
    answer: {
      status: 200,
      description: 'The tokens that ended or, in a preview, would end. Those of sessions are not listed.',
      schema: Strict({ items: Type.Array(Token, { description: 'Oldest first.' }) }),
    },
    errors: [],
    example: {
      body: {
        person,
        by: { kind: 'person', id: 'user_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'grace' },
        limit: null,
      },
      answer: { items: [{ ...exampleToken, state: 'revoked', revoked_at: '2026-11-15T10:00:00Z' }] },
    },
  },
  'delegations.pass': {
    method: 'POST',
    path: '/v1/auth/passes',
    summary: 'Let a person enter an ingress',
    description:
      'For the panel, once a person has signed in who comes from an ingress with `sign_in`. The pass names the person and their groups to the gateways of that ingress, which check it by themselves. It is good for a minute, for one browser; the session that it begins lasts as long as the ingress says.',
    permission: 'tokens:delegate',
    reach: 'mesh',
    repeatable: false,
    body: PassRequest,
    answer: { status: 200, description: 'The pass.', schema: Pass },
    errors: ['not_found', 'entry_refused'],
    example: {
      body: {
        person,
        user: 'ada',
        groups: ['staff'],
        scope: exampleToken.scope,
        hostname: 'wiki.example.net',
        state: 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA',
        address: '192.0.2.40',
      },
      answer: {
        pass: 'EXAMPLE.EXAMPLE',
        url: 'https://wiki.example.net/.meshwork/sign-in',
        expires: '2026-11-15T09:31:00Z',
      },
    },
  },
  'delegations.announce': {
    method: 'PUT',
    path: '/v1/auth/panel',
    summary: 'Say where people sign in',
    description: 'For the panel, when it starts: gateways send people there from ingresses with `sign_in`.',
    permission: 'tokens:delegate',
    reach: 'mesh',
    body: PanelPlace,
    answer: { status: 200, description: 'As it is known now.', schema: PanelPlace },
    errors: [],
    example: { body: { url: 'https://mesh.example.net' }, answer: { url: 'https://mesh.example.net' } },
  },
  'delegations.end': {
    method: 'DELETE',
    path: '/v1/auth/delegations/{id}',
    summary: 'End a token that acts for a person',
    description: 'For the panel, when a person signs out. Only such tokens are found. One that is over stays so.',
    permission: 'tokens:delegate',
    reach: 'mesh',
    params: Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the token.' }) }),
    answer: { status: 204, description: 'It is over.' },
    errors: [],
    example: { params: { id: exampleToken.id } },
  },
});

export const delegationsArea = defineArea({
  name: 'delegations',
  title: 'Delegations',
  description: 'Short-lived tokens that act for people who are signed in, and passes with which they enter services.',
  operations: delegationOperations,
});
