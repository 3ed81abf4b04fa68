import { defineArea } from '../../area.ts';
import { NoData } from '../../event-data.ts';
import { type Id, idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NODE_REF_PATTERN, NodeIdText, NodeName } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { NODE_NAME_PATTERN, SERVICE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import { HOST_PATTERN } from '../relays/index.ts';
import { ingressVocabulary } from './vocabulary.ts';

const Name = Type.String({ pattern: NODE_NAME_PATTERN, description: 'Its display name.' });
const Hostname = Type.String({ maxLength: 253, pattern: HOST_PATTERN, description: 'The public host name.' });
const ServiceName = Type.String({ pattern: SERVICE_NAME_PATTERN, description: 'The service it leads to, by name.' });
const Gateways = Type.Array(
  Type.String({ pattern: '^(?:tag:[a-z0-9][a-z0-9._:-]{0,126}|node:[a-z0-9][a-z0-9-]{0,62})$' }),
  {
    minItems: 1,
    maxItems: 32,
    uniqueItems: true,
    description: 'Which nodes may serve it: `tag:role:gateway` or `node:gw-1`. Any that matches one may.',
  },
);
const Replicas = Type.Integer({ minimum: 1, maximum: 32, description: 'How many gateways serve it at once.' });

/** How far an ingress has come. */
export type IngressId = Id<'ingress'>;
const INGRESS_STATES = ['serving', 'assigned', 'unassigned', 'draining'] as const;

export const Ingress = named(
  'Ingress',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('ingress'), description: 'Identifies it permanently.' }),
      name: Name,
      hostname: Hostname,
      service: ServiceName,
      scope: Scope,
      gateways: Gateways,
      replicas: Replicas,
      draining: Type.Boolean({ description: 'True: it takes no new connections.' }),
      served_by: Type.Array(
        Type.Object(
          {
            node: NodeIdText,
            name: NodeName,
            draining: Type.Boolean({ description: 'True: it takes no new connections there.' }),
            connections: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Open ones that the gateway last reported. Null: not reported.',
            }),
          },
          { additionalProperties: false },
        ),
        {
          description:
            'Gateways that prove that they serve it: fresh, with their ingress section in effect, and naming it in `observed.ingress`.',
        },
      ),
      assigned_to: Type.Array(
        Type.Object(
          {
            node: NodeIdText,
            name: NodeName,
            draining: Type.Boolean({ description: 'True: it is to take no new connections there.' }),
            problem: maybe(Type.String(), 'Why it does not count as serving. Null: it serves.'),
          },
          { additionalProperties: false },
        ),
        {
          description: 'Gateways that the coordinator has chosen, whether or not they have proven that they serve it.',
        },
      ),
      state: Type.Enum(INGRESS_STATES, {
        description:
          '`serving`: a gateway proves that it takes connections. `assigned`: gateways are chosen, and none has proven it yet. `unassigned`: no node can be its gateway. `draining`: it takes no new connections.',
      }),
      created_at: Timestamp('When it was made.'),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type Ingress = Static<typeof Ingress>;

const byId = Type.Object({
  id: Type.String({ maxLength: 64, description: 'Id of the ingress, or its name if no other has the same.' }),
});

const exampleIngress: Ingress = {
  id: 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n',
  name: 'git',
  hostname: 'git.example.net',
  service: 'git-http',
  scope: { team: 'platform', surface: 'git', environment: 'production' },
  gateways: ['tag:role:gateway'],
  replicas: 1,
  draining: false,
  served_by: [{ node: exampleNode.id, name: 'gw-1', draining: false, connections: 3 }],
  assigned_to: [{ node: exampleNode.id, name: 'gw-1', draining: false, problem: null }],
  state: 'serving',
  created_at: '2026-11-15T09:30:00Z',
  revision: 1184,
};

const ingressOperations = defineOperations({
  'ingress.create': {
    method: 'POST',
    path: '/v1/ingress',
    summary: 'Create an ingress',
    description:
      'The coordinator chooses its gateways among the fresh nodes that match, the least loaded first. `domain_owners` of the policy says who may use the host name.',
    permission: 'ingress:write',
    reach: 'scoped',
    body: Strict({
      name: Name,
      hostname: Hostname,
      service: ServiceName,
      scope: Type.Optional(Scope),
      gateways: Gateways,
      replicas: Type.Optional(Replicas),
    }),
    versioned: true,
    answer: { status: 201, description: 'The new ingress.', schema: Ingress },
    errors: ['already_exists', 'exceeds_own_rights', 'not_owner'],
    example: {
      body: { name: 'git', hostname: 'git.example.net', service: 'git-http', gateways: ['tag:role:gateway'] },
      answer: exampleIngress,
    },
  },
  'ingress.list': {
    method: 'GET',
    path: '/v1/ingress',
    summary: 'List ingresses',
    permission: 'ingress:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      service: Type.Optional(
        Type.String({ pattern: SERVICE_NAME_PATTERN, description: 'Only those that lead to this service.' }),
      ),
      gateway: Type.Optional(
        Type.String({ pattern: NODE_REF_PATTERN, description: 'Only those served by this node: its id or name.' }),
      ),
    }),
    answer: { status: 200, description: 'A page of ingresses.', schema: Page(Ingress) },
    errors: [],
    example: { answer: { items: [exampleIngress], next_cursor: null } },
  },
  'ingress.show': {
    method: 'GET',
    path: '/v1/ingress/{id}',
    summary: 'Show an ingress',
    permission: 'ingress:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The ingress.', schema: Ingress },
    errors: [],
    example: { params: { id: exampleIngress.id }, answer: exampleIngress },
  },
  'ingress.update': {
    method: 'PATCH',
    path: '/v1/ingress/{id}',
    summary: 'Change an ingress',
    description:
      'A JSON merge patch: name only what changes. `domain_owners` of the policy says who may use a new host name.',
    permission: 'ingress:write',
    reach: 'scoped',
    params: byId,
    body: Strict({
      name: Type.Optional(Name),
      hostname: Type.Optional(Hostname),
      service: Type.Optional(ServiceName),
      gateways: Type.Optional(Gateways),
      replicas: Type.Optional(Replicas),
    }),
    versioned: true,
    answer: { status: 200, description: 'The ingress as it is now.', schema: Ingress },
    errors: ['already_exists', 'not_owner'],
    example: { params: { id: exampleIngress.id }, body: { replicas: 1 }, answer: exampleIngress },
  },
  'ingress.delete': {
    method: 'DELETE',
    path: '/v1/ingress/{id}',
    summary: 'Delete an ingress',
    description: 'Connections through it end. Drain it first to let them finish.',
    permission: 'ingress:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 204, description: 'It is gone.' },
    errors: [],
    example: { params: { id: exampleIngress.id } },
  },
  'ingress.drain': {
    method: 'POST',
    path: '/v1/ingress/{id}/drain',
    summary: 'Drain an ingress: take no new connections',
    permission: 'ingress:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The ingress as it is now.', schema: Ingress },
    errors: [],
    example: { params: { id: exampleIngress.id }, answer: { ...exampleIngress, draining: true } },
  },
  'ingress.undrain': {
    method: 'POST',
    path: '/v1/ingress/{id}/undrain',
    summary: 'Undrain an ingress: take connections again',
    permission: 'ingress:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The ingress as it is now.', schema: Ingress },
    errors: [],
    example: { params: { id: exampleIngress.id }, answer: exampleIngress },
  },
});

export const ingressArea = defineArea({
  name: 'ingress',
  title: 'Ingress',
  description: 'Ways into the mesh from outside, through gateway nodes.',
  ...ingressVocabulary,
  bounded: true,
  operations: ingressOperations,
  events: {
    'ingress.created': { summary: 'An ingress was created', data: NoData },
    'ingress.changed': { summary: 'An ingress was changed, drained or undrained', data: NoData },
    'ingress.deleted': { summary: 'An ingress was deleted', data: NoData },
    'ingress.placed': {
      summary: 'An ingress is served by other gateways',
      data: Strict({ gateways: Type.Array(Type.String(), { description: 'Names of the gateways now.' }) }),
    },
  },
});
