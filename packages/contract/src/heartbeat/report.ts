/** What a node says of itself. Everything is optional: absent means unchanged since the last heartbeat that was answered. */
import {
  AcceptRoutes,
  AgentVersion,
  Cidrs,
  Endpoints,
  GatewayRequest,
  HostNames,
  NatMappingText,
  NodeRequest,
  RelayedPlaces,
  Services,
  WireguardKey,
} from '../node-fields.ts';
import { Strict } from '../operation.ts';
import { type Static, Type } from '../type.ts';

/** Names of sections and engines. Open sets: an agent may be newer than its coordinator, and name what that does not know. */
const AbilityName = { maxLength: 32, pattern: '^[a-z][a-z0-9_-]*$' };
export const Abilities = Strict(
  {
    sections: Type.Array(Type.String(AbilityName), {
      maxItems: 64,
      uniqueItems: true,
      description: 'Sections of the answer that the agent can put into effect.',
    }),
    engines: Type.Record(Type.String({ pattern: AbilityName.pattern }), Type.String({ maxLength: 100 }), {
      maxProperties: 32,
      additionalProperties: false,
      description: 'Programs and kernel parts that it drives, each with the version it answered with.',
    }),
    probes: Type.Optional(
      Type.Array(Type.String(AbilityName), {
        maxItems: 16,
        uniqueItems: true,
        description: 'Kinds of probes that it answers. Absent: none.',
      }),
    ),
    features: Type.Optional(
      Type.Array(Type.String(AbilityName), {
        maxItems: 64,
        uniqueItems: true,
        description: 'What it can do within these sections that came later: `client_certificates`. Absent: none.',
      }),
    ),
  },
  {
    description:
      'What the agent can carry. It gets no role, and is sent no section, that it does not name. An agent that never reports abilities counts as one that carries `self`, `peers`, `acl`, `firewall` and `commands`.',
  },
);
export type Abilities = Static<typeof Abilities>;

/** Of a node that serves ingresses: where clients that come through the mesh find it. They know no port of its own, and no balancer. */
export const GatewayFront = Strict(
  {
    http_port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Where it takes plain HTTP.' }),
    https_port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Where it takes TLS.' }),
    proxy_protocol: Type.Boolean({
      description: 'True: it takes only connections that begin with the PROXY protocol, as from a load balancer.',
    }),
  },
  { description: 'How a gateway takes connections. Absent: its agent does not say.' },
);
export type GatewayFront = Static<typeof GatewayFront>;

/** What is durable before the heartbeat is answered. */
export const Report = Strict(
  {
    agent_version: Type.Optional(AgentVersion),
    abilities: Type.Optional(Abilities),
    wireguard_key: Type.Optional(WireguardKey),
    endpoints: Type.Optional(Endpoints),
    relayed: Type.Optional(RelayedPlaces),
    nat: Type.Optional(NatMappingText),
    names: Type.Optional(HostNames),
    services: Type.Optional(Services),
    routes: Type.Optional(
      Cidrs(
        'Networks it offers to forward to. Those that can never be behind a node are set aside, and the rest counts.',
      ),
    ),
    accept_routes: Type.Optional(AcceptRoutes),
    certificate_request: Type.Optional(NodeRequest),
    gateway_request: Type.Optional(GatewayRequest),
    gateway_front: Type.Optional(GatewayFront),
  },
  { description: 'What changed about the node itself.' },
);
export type Report = Static<typeof Report>;
