import { defineArea } from '../../area.ts';
import {
  Counted,
  IngressKind,
  IngressPort,
  Maintenance,
  MeshIdentity,
  Redirects,
  TrustedProxies,
} from '../../ingress-front.ts';
import { SignInChange } from '../../ingress-sign-in.ts';
import { maybe } from '../../maybe.ts';
import { NODE_REF_PATTERN } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { TrafficChange } from '../../traffic.ts';
import { Type } from '../../type.ts';
import { SERVICE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import {
  exampleIngress,
  Gateways,
  Hostname,
  Ingress,
  IngressName,
  IngressTlsChange,
  Replicas,
  RouteChanges,
  ServiceName,
  WafPolicyRef,
} from './ingress-record.ts';
import { exampleIngressRates, exampleIngressTraffic, IngressRates, IngressTraffic } from './ingress-traffic.ts';
import { exampleOutsideCheck, OutsideCheck } from './outside-check.ts';
import { UpstreamChange } from './upstream.ts';
import { ingressVocabulary } from './vocabulary.ts';

export { Traffic, TrafficChange } from '../../traffic.ts';
export { Ingress, type IngressId } from './ingress-record.ts';
export { IngressRates, IngressTraffic, type TrafficRates } from './ingress-traffic.ts';
export { OutsideCheck, type OutsideFinding } from './outside-check.ts';
export { DEFAULT_UPSTREAM, Upstream, UpstreamChange } from './upstream.ts';

const Named = Strict({ name: Type.String({ description: 'Its display name.' }) });
const Minutes = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 60, description: 'How far back it goes. Absent: 5.' }),
);
const byId = Type.Object({
  id: Type.String({ maxLength: 64, description: 'Id of the ingress, or its name if no other has the same.' }),
});

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
      name: IngressName,
      kind: Type.Optional(IngressKind),
      hostname: Hostname,
      port: Type.Optional(IngressPort),
      service: Type.Optional(ServiceName),
      upstream: Type.Optional(UpstreamChange),
      traffic: Type.Optional(TrafficChange),
      redirects: Type.Optional(Redirects),
      maintenance: Type.Optional(Maintenance),
      proxies: Type.Optional(TrustedProxies),
      mesh_identity: Type.Optional(MeshIdentity),
      counted: Type.Optional(Counted),
      sign_in: Type.Optional(SignInChange),
      waf: Type.Optional(maybe(WafPolicyRef, 'The WAF policy that requests have to pass, by id or name. Null: none.')),
      routes: Type.Optional(RouteChanges),
      tls: Type.Optional(IngressTlsChange),
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
      'A JSON merge patch: name only what changes; lists such as `routes` and `weights` are replaced whole. `domain_owners` of the policy says who may use a new host name.',
    permission: 'ingress:write',
    reach: 'scoped',
    params: byId,
    body: Strict({
      name: Type.Optional(IngressName),
      hostname: Type.Optional(Hostname),
      port: Type.Optional(IngressPort),
      service: Type.Optional(maybe(ServiceName, 'The service it leads to. Null: to none.')),
      upstream: Type.Optional(UpstreamChange),
      traffic: Type.Optional(TrafficChange),
      redirects: Type.Optional(Redirects),
      maintenance: Type.Optional(Maintenance),
      proxies: Type.Optional(TrustedProxies),
      mesh_identity: Type.Optional(MeshIdentity),
      counted: Type.Optional(Counted),
      sign_in: Type.Optional(SignInChange),
      waf: Type.Optional(maybe(WafPolicyRef, 'The WAF policy that requests have to pass, by id or name. Null: none.')),
      routes: Type.Optional(RouteChanges),
      tls: Type.Optional(IngressTlsChange),
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
    description:
      'Connections that are open go on. With a deadline, its gateways end what is still open then, and say how much that was. Another drain changes the deadline, or takes it back.',
    permission: 'ingress:write',
    reach: 'scoped',
    params: byId,
    body: Strict({
      deadline_s: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 86_400,
          description: 'Seconds until connections that are still open are ended. Absent: they end by themselves.',
        }),
      ),
    }),
    versioned: true,
    answer: { status: 200, description: 'The ingress as it is now.', schema: Ingress },
    errors: [],
    example: {
      params: { id: exampleIngress.id },
      body: { deadline_s: 300 },
      answer: {
        ...exampleIngress,
        draining: true,
        drain: { since: '2026-11-15T09:40:00Z', deadline: '2026-11-15T09:45:00Z', drained_at: null, cut: 0 },
        state: 'draining',
      },
    },
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
  'ingress.traffic': {
    method: 'GET',
    path: '/v1/ingress/{id}/traffic',
    summary: 'Show how much comes to an ingress, and how it goes',
    description:
      'Of up to the last hour, as its gateways counted requests and reported them to this coordinator. What is missing is said by gateway.',
    permission: 'ingress:read',
    reach: 'scoped',
    params: byId,
    query: Strict({ minutes: Minutes }),
    answer: { status: 200, description: 'What came.', schema: IngressTraffic },
    errors: [],
    example: { params: { id: exampleIngress.id }, query: { minutes: 1 }, answer: exampleIngressTraffic },
  },
  'ingress.rates': {
    method: 'GET',
    path: '/v1/ingress-rates',
    summary: 'List how much comes to ingresses',
    description: 'The traffic of each in short, in the order of `GET /v1/ingress`.',
    permission: 'ingress:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery, minutes: Minutes }),
    answer: { status: 200, description: 'A page of them.', schema: Page(IngressRates) },
    errors: [],
    example: { query: { minutes: 1 }, answer: { items: [exampleIngressRates], next_cursor: null } },
  },
  'ingress.check': {
    method: 'POST',
    path: '/v1/ingress/{id}/check',
    summary: 'Check from outside whether people reach an ingress',
    description:
      'A node that is no gateway of it looks the host name up by its public DNS, and connects to what DNS says and to the public addresses of the gateways, which prove there that they are the ones. Only these addresses are tried. Each check is in the audit trail.',
    permission: 'ingress:probe',
    reach: 'scoped',
    params: byId,
    body: Strict({
      node: Type.Optional(
        Type.String({
          pattern: NODE_REF_PATTERN,
          description: 'The node that tries it, by id or name. Absent: the coordinator chooses one.',
        }),
      ),
    }),
    repeatable: false,
    answer: { status: 200, description: 'What was found.', schema: OutsideCheck },
    errors: ['ingress_not_checked', 'not_owner', 'rate_limited'],
    example: { params: { id: exampleIngress.id }, body: {}, answer: exampleOutsideCheck },
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
    'ingress.created': { summary: 'An ingress was created', data: Named },
    'ingress.changed': { summary: 'An ingress was changed, drained or undrained', data: Named },
    'ingress.deleted': { summary: 'An ingress was deleted', data: Named },
    'ingress.drained': {
      summary: 'An ingress has no connection left on any of its gateways, and takes none',
      data: Strict({
        ...Named.properties,
        cut: Type.Integer({ description: 'Connections that were ended at the deadline. 0: all ended by themselves.' }),
      }),
    },
    'ingress.placed': {
      summary: 'An ingress is served by other gateways',
      data: Strict({
        ...Named.properties,
        gateways: Type.Array(Type.String(), { description: 'Names of the gateways now.' }),
      }),
    },
  },
});
