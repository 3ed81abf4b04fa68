/** What a gateway is sent of the ingresses that it serves. The structured record is all that nginx is ever configured from. */

import { idPattern } from '../ids.ts';
import {
  ClientCertificates,
  ClientNames,
  IngressKind,
  IngressPort,
  Maintenance,
  Redirects,
  TrustedProxies,
} from '../ingress-front.ts';
import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import { NodeIdText, NodeName } from '../node-fields.ts';
import { Timestamp } from '../timestamp.ts';
import { Traffic } from '../traffic.ts';
import { type Static, Type } from '../type.ts';
import { UpstreamCheck } from '../upstream-check.ts';
import { UPSTREAM_PROTOCOLS } from '../upstream-reports.ts';
import { AssignedSignIn } from './assigned-sign-in.ts';
import { CHALLENGE_TYPES } from './probe-kinds.ts';
import { record } from './section-record.ts';

const AssignedTarget = record(
  {
    node: NodeIdText,
    name: NodeName,
    address: Type.String({ description: 'Its IPv4 address in the mesh, without a prefix.' }),
    port: Type.Integer({ description: 'TCP or UDP port.' }),
    weight: Type.Integer({ description: 'Its share against that of others. 0: it gets no requests.' }),
  },
  'A node that requests may be sent to.',
);
export type AssignedTarget = Static<typeof AssignedTarget>;

const AssignedPool = record(
  {
    service: Type.String({ description: 'The service.' }),
    percent: Type.Integer({ description: 'How many of 100 requests go to this service.' }),
    targets: Type.Array(AssignedTarget, { description: 'Its nodes, in order of id. Empty: it has none.' }),
  },
  'A service with its nodes.',
);
export type AssignedPool = Static<typeof AssignedPool>;

const AssignedRoute = record(
  {
    path: Type.String({ description: 'With everything below it. `/`: whatever no other route is for.' }),
    protocol: Type.Enum(UPSTREAM_PROTOCOLS, {
      description:
        '`https`, `grpcs`: with TLS. The certificate has to be of the mesh CA and for `NODE.mesh`. `tcp`, `udp`: of an ingress of such a kind.',
    }),
    balance: Type.String({ description: 'As in the record of an ingress: `round_robin`, `hash:cookie:session`.' }),
    proxy_protocol: Type.Boolean({
      description: 'True: the service gets the address of the client by the PROXY protocol.',
    }),
    check: UpstreamCheck,
    traffic: Traffic,
    waf: Type.Optional(
      maybe(
        Type.String({ pattern: idPattern('waf') }),
        'Id of the policy, of the section `waf`, that requests have to pass. Null or absent: none.',
      ),
    ),
    pools: Type.Array(AssignedPool, { description: 'The service, and a canary that gets a share if there is one.' }),
  },
  'A path and where it leads.',
);
export type AssignedRoute = Static<typeof AssignedRoute>;

/** One ingress that the node serves as a gateway. */
export const IngressAssignment = named(
  'IngressAssignment',
  record(
    {
      id: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
      hostname: Type.String({ description: 'The public host name.' }),
      kind: Type.Optional(IngressKind),
      port: Type.Optional(
        maybe(IngressPort, 'Null: the ports of the gateway for HTTP and HTTPS. Absent as `routes` is.'),
      ),
      draining: Type.Boolean({ description: 'True: take no new connections, and let those that are there end.' }),
      deadline: Type.Optional(
        record(
          {
            at: Timestamp(
              'By the coordinator’s clock. It names the deadline: one that was sent before goes on as it began.',
            ),
            after_s: Type.Integer({ description: 'Seconds from when the gateway is first sent it, by its own clock.' }),
          },
          'When connections that are still open are ended. Absent: never, they end by themselves.',
        ),
      ),
      routes: Type.Optional(
        Type.Array(AssignedRoute, {
          description:
            'Each with a path of its own, in order of path. One is `/`, unless a redirect is for it; of the kinds `tls`, `tcp` and `udp` it is the only one. Absent: a coordinator of 0.1.0, which does not say where it leads.',
        }),
      ),
      redirects: Type.Optional(Redirects),
      maintenance: Type.Optional(Maintenance),
      proxies: Type.Optional(TrustedProxies),
      mesh_identity: Type.Optional(
        record(
          {
            spiffe_prefix: maybe(
              Type.String(),
              'What the SPIFFE id of a node begins with, before its name. Null: the mesh has no authority yet.',
            ),
          },
          'The service learns which node asks. Absent: it does not. Sent only to agents with the ability `mesh_identity`.',
        ),
      ),
      sign_in: Type.Optional(AssignedSignIn),
      counted: Type.Optional(
        Type.Literal(true, {
          description:
            'Requests are counted, and reported in `observed.traffic`. Sent only to agents with the ability `traffic_counts`.',
        }),
      ),
      tls: Type.Optional(
        maybe(
          record(
            {
              chain: maybe(
                Type.String(),
                'The certificate for the key of `report.gateway_request`, with its issuers, in PEM. Null: there is none yet.',
              ),
              given: Type.Optional(
                Type.String({
                  pattern: idPattern('given'),
                  description:
                    'Id of the certificate, of the section `given_certificates`, that is shown. Absent: that in `chain`. Sent only to agents with the ability `given_certificates`.',
                }),
              ),
              challenge: Type.Optional(
                Type.Enum(CHALLENGE_TYPES, {
                  description:
                    'The certificate is ordered from an outside authority, which looks there for the answer of `show_challenge`. Absent: it is not. Sent only to agents with the ability `ordered_certificates`.',
                }),
              ),
              redirect: Type.Boolean({ description: 'True: requests by plain HTTP are sent on to HTTPS.' }),
              clients: Type.Optional(ClientCertificates),
              client_names: Type.Optional(ClientNames),
            },
            'TLS between clients and the gateway. `clients` is absent where no certificate is asked for, and so is `client_names` where all pass; they are sent only to agents with the ability `client_certificates`.',
          ),
          'Null: plain HTTP only. Absent as `routes` is.',
        ),
      ),
    },
    'An ingress that the node serves.',
  ),
);
/** As coordinators after 0.1.0 send it: all of it, but for what came later. */
export type IngressAssignment = Required<Omit<Static<typeof IngressAssignment>, Later>> &
  Pick<Static<typeof IngressAssignment>, Later>;
/** What only some ingresses have. */
type Later = 'deadline' | 'mesh_identity' | 'sign_in' | 'counted';

export const IngressSection = named(
  'IngressSection',
  Type.Array(IngressAssignment, { description: 'All that the node serves as a gateway.' }),
);
export type IngressSection = Static<typeof IngressSection>;
