import { type Id, idPattern } from '../../ids.ts';
import {
  ClientCertificates,
  ClientNames,
  Counted,
  IngressKind,
  IngressPort,
  Maintenance,
  MeshIdentity,
  Redirects,
  TrustedProxies,
} from '../../ingress-front.ts';
import { SignIn } from '../../ingress-sign-in.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Strict } from '../../operation.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { Traffic, TrafficChange } from '../../traffic.ts';
import { type Static, Type } from '../../type.ts';
import { PATH_PATTERN } from '../../upstream-check.ts';
import { UpstreamHealth } from '../../upstream-reports.ts';
import { OWN_INGRESS_CERTIFICATES } from '../given-certificates/vocabulary.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { NODE_NAME_PATTERN, SERVICE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import { HOST_PATTERN } from '../relays/index.ts';
import { DEFAULT_UPSTREAM, SELECTOR_PATTERN, Upstream, UpstreamChange } from './upstream.ts';
import { DEFAULT_TRAFFIC } from './vocabulary.ts';

export type IngressId = Id<'ingress'>;

export const IngressName = Type.String({ pattern: NODE_NAME_PATTERN, description: 'Its display name.' });
export const Hostname = Type.String({ maxLength: 253, pattern: HOST_PATTERN, description: 'The public host name.' });
export const ServiceName = Type.String({
  pattern: SERVICE_NAME_PATTERN,
  description: 'The service it leads to, by name.',
});
export const Gateways = Type.Array(Type.String({ pattern: SELECTOR_PATTERN }), {
  minItems: 1,
  maxItems: 32,
  uniqueItems: true,
  description: 'Which nodes may serve it: `tag:role:gateway` or `node:gw-1`. Any that matches one may.',
});
const WafPolicyId = Type.String({ pattern: idPattern('waf'), description: 'Id of a WAF policy.' });
export const WafPolicyRef = Type.String({ maxLength: 64, description: 'Id of a WAF policy, or its name.' });
export const Replicas = Type.Integer({ minimum: 1, maximum: 32, description: 'How many gateways serve it at once.' });

const WHICH_CERTIFICATE =
  '`mesh`: a certificate of the mesh CA, which has to certify the domain (`ca.domains`). `none`: none. For the kind `http` that is plain HTTP only; the other kinds have it always.';
const certificate = Type.String({
  pattern: `^(?:${OWN_INGRESS_CERTIFICATES.join('|')}|${idPattern('given').slice(1, -1)}|${idPattern('outside').slice(1, -1)})$`,
  description: `What gateways show to clients. ${WHICH_CERTIFICATE} Otherwise: the given certificate of this id, or one that the outside authority of this id issues.`,
});
const certificateRef = Type.String({
  minLength: 1,
  maxLength: 64,
  description: `What gateways show to clients. ${WHICH_CERTIFICATE} Otherwise: the given certificate of this id or name, or one that the outside authority of this id or name issues for the host name. The scope of either has to cover that of the ingress.`,
});
const redirect = Type.Boolean({ description: 'True: requests by plain HTTP are sent on to HTTPS. False: served.' });
const IngressTls = Type.Object(
  { certificate, redirect, clients: ClientCertificates, client_names: ClientNames },
  { additionalProperties: false, description: 'TLS between clients and gateways.' },
);
export const IngressTlsChange = Strict(
  {
    certificate: Type.Optional(certificateRef),
    redirect: Type.Optional(redirect),
    clients: Type.Optional(ClientCertificates),
    client_names: Type.Optional(ClientNames),
  },
  { description: 'TLS between clients and gateways. Name only what differs.' },
);

const RoutePath = Type.String({
  maxLength: 200,
  pattern: PATH_PATTERN,
  description: 'The path, with everything below it: `/api` is for `/api` and `/api/v1`, not for `/apis`.',
});
const IngressRoute = Type.Object(
  {
    path: RoutePath,
    service: ServiceName,
    upstream: Upstream,
    traffic: TrafficChange,
    waf: Type.Optional(maybe(WafPolicyId, 'The WAF policy of this path. Null: none. Absent: that of the ingress.')),
  },
  { additionalProperties: false, description: 'A path that leads to another service.' },
);
export const RouteChanges = Type.Array(
  Strict({
    path: RoutePath,
    service: ServiceName,
    upstream: Type.Optional(UpstreamChange),
    traffic: Type.Optional(TrafficChange),
    waf: Type.Optional(
      maybe(WafPolicyRef, 'The WAF policy of this path, by id or name. Null: none. Absent: that of the ingress.'),
    ),
  }),
  { maxItems: 64, description: 'Paths that lead to other services, all of them. The longest path counts.' },
);

/** How far an ingress has come. */
const INGRESS_STATES = ['serving', 'assigned', 'unassigned', 'draining'] as const;

const IngressDrain = Type.Object(
  {
    since: Timestamp('When it was drained.'),
    deadline: maybe(
      Timestamp(
        'When its gateways end what is still open, each counting the time from when it received it. Null: never, connections end by themselves.',
      ),
    ),
    drained_at: maybe(
      Timestamp('When all of its gateways had proven that they take no connections and have none left. Null: not yet.'),
    ),
    cut: Type.Integer({ description: 'Connections that its gateways have ended at the deadline, as far as reported.' }),
  },
  { additionalProperties: false },
);

const GatewayDrain = Type.Object(
  {
    refuses: Type.Boolean({ description: 'True: the gateway proves that it takes no new connections.' }),
    connections: maybe(Type.Integer(), 'Open ones that it last reported. Null: not reported.'),
    deadline: maybe(Timestamp('When it is to end them: of the ingress, or of a drain of the node. Null: never.')),
    cut: Type.Integer({ description: 'Connections that it reports to have ended at the deadline.' }),
    problem: maybe(Type.String(), 'Why it is not proven that it keeps the deadline. Null: it is, or there is none.'),
  },
  { additionalProperties: false },
);

/** A node that an ingress leads to, as the coordinator has it. */
const IngressTarget = Type.Object(
  {
    service: ServiceName,
    node: NodeIdText,
    name: NodeName,
    address: Type.String({ description: 'Where gateways reach it.' }),
    port: Type.Integer({ description: 'TCP or UDP port.' }),
    problem: maybe(Type.String(), 'Why gateways do not send requests there. Null: they may.'),
  },
  { additionalProperties: false, description: 'A node that the ingress leads to.' },
);

export const Ingress = named(
  'Ingress',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('ingress'), description: 'Identifies it permanently.' }),
      name: IngressName,
      kind: IngressKind,
      hostname: Hostname,
      port: maybe(IngressPort, 'Port of the gateways. Null: those for HTTP and HTTPS, by the kind.'),
      service: maybe(
        ServiceName,
        'The service it leads to, by name. Null: to none, a redirect of `/` sends all elsewhere.',
      ),
      upstream: Upstream,
      traffic: Traffic,
      redirects: Redirects,
      maintenance: Maintenance,
      proxies: TrustedProxies,
      mesh_identity: MeshIdentity,
      counted: Counted,
      sign_in: SignIn,
      waf: maybe(WafPolicyId, 'The WAF policy that requests have to pass. Null: none.'),
      routes: Type.Array(IngressRoute, {
        description: 'Paths that lead to other services. The longest path counts, and the rest goes to `service`.',
      }),
      tls: IngressTls,
      scope: Scope,
      gateways: Gateways,
      replicas: Replicas,
      draining: Type.Boolean({ description: 'True: it takes no new connections.' }),
      drain: maybe(IngressDrain, 'How its drain goes. Null: it does not drain, or does since before this was kept.'),
      targets: Type.Array(IngressTarget, {
        description: 'The nodes that it leads to: fresh ones inside its scope that report the service.',
      }),
      served_by: Type.Array(
        Type.Object(
          {
            node: NodeIdText,
            name: NodeName,
            draining: Type.Boolean({ description: 'True: it takes no new connections there.' }),
            connections: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Open ones that the gateway last reported. Null: not reported.',
            }),
            upstreams: maybe(
              Type.Array(UpstreamHealth),
              'What the gateway found of the nodes that it sends requests to. Null: not reported.',
            ),
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
            drain: maybe(GatewayDrain, 'How far it has come with that. Null: it takes connections.'),
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
      problem: maybe(
        Type.String(),
        'Why it has fewer gateways than `replicas` says, or why people cannot sign in. Null: neither is so.',
      ),
      created_at: Timestamp('When it was made.'),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type Ingress = Static<typeof Ingress>;

export const exampleIngress: Ingress = {
  id: 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n',
  name: 'git',
  kind: 'http',
  hostname: 'git.example.net',
  port: null,
  service: 'git-http',
  upstream: DEFAULT_UPSTREAM,
  traffic: DEFAULT_TRAFFIC,
  redirects: [],
  maintenance: null,
  proxies: null,
  mesh_identity: false,
  counted: true,
  sign_in: null,
  waf: null,
  routes: [],
  tls: { certificate: 'mesh', redirect: true, clients: 'none', client_names: [] },
  scope: { team: 'platform', surface: 'git', environment: 'production' },
  gateways: ['tag:role:gateway'],
  replicas: 1,
  draining: false,
  drain: null,
  targets: [
    {
      service: 'git-http',
      node: exampleNode.id,
      name: exampleNode.name,
      address: exampleNode.address.replace(/\/.*$/, ''),
      port: 3000,
      problem: null,
    },
  ],
  served_by: [
    {
      node: exampleNode.id,
      name: 'gw-1',
      draining: false,
      connections: 3,
      upstreams: [{ service: 'git-http', node: exampleNode.id, state: 'up', since: '2026-11-15T09:31:00Z', why: null }],
    },
  ],
  assigned_to: [{ node: exampleNode.id, name: 'gw-1', draining: false, drain: null, problem: null }],
  state: 'serving',
  problem: null,
  created_at: '2026-11-15T09:30:00Z',
  revision: 1184,
};
