/** Fields of nodes that enrolment, heartbeat and records share. */

import { MAX_NODE_REQUEST } from './areas/ca/vocabulary.ts';
import {
  ACCEPT_ROUTES,
  MAX_TAGS,
  NODE_NAME_PATTERN,
  NODE_STATES,
  SERVICE_HEALTH,
  SERVICE_NAME_PATTERN,
} from './areas/nodes/vocabulary.ts';
import { idPattern } from './ids.ts';
import { NAT_MAPPINGS } from './path-words.ts';
import { type Static, Type } from './type.ts';

export const NodeName = Type.String({
  pattern: NODE_NAME_PATTERN,
  description: 'Its host name in the mesh: lower-case letters, digits and dashes, 63 at most.',
});

export const NodeIdText = Type.String({ pattern: idPattern('node'), description: 'Identifies the node permanently.' });

/** The id or the name of a node. */
export const NODE_REF_PATTERN = `^(?:${idPattern('node').slice(1, -1)}|${NODE_NAME_PATTERN.slice(1, -1)})$`;

/** 32 bytes in base64. The last character carries only four of its six bits, so that each key has one spelling. */
const KEY_PATTERN = '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$';
export const IdentityKey = Type.String({
  pattern: KEY_PATTERN,
  description: 'Ed25519 public key, 32 bytes in base64. The node proves itself with its private half.',
});
export const WireguardKey = Type.String({
  pattern: KEY_PATTERN,
  description: 'WireGuard (Curve25519) public key, 32 bytes in base64.',
});

export const Tag = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,62}(?::[a-z0-9][a-z0-9._-]{0,62})?$',
  description: 'Such as `role:git`. `team:`, `surface:` and `env:` say which boundary the node belongs to.',
});
export const Tags = Type.Array(Tag, {
  maxItems: MAX_TAGS,
  uniqueItems: true,
  description: 'Labels of the node.',
});

export const Endpoint = Type.String({
  maxLength: 53,
  pattern: '^(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9a-f:.]{2,45}\\]):\\d{1,5}$',
  description: 'Address and UDP port, such as `192.0.2.7:51820` or `[2001:db8::7]:51820`.',
});
export const Endpoints = Type.Array(Endpoint, {
  maxItems: 16,
  uniqueItems: true,
  description: 'Where peers can reach it, best first. Empty: nowhere directly, only by way of its relay.',
});

/** Where a node receives through a relay. */
export const RelayedPlace = Type.Object(
  {
    relay: Type.String({ maxLength: 63, description: 'Name of the relay.' }),
    endpoint: Endpoint,
  },
  { additionalProperties: false, description: 'What a relay receives for it there, it gets.' },
);
export type RelayedPlace = Static<typeof RelayedPlace>;
export const RelayedPlaces = Type.Array(RelayedPlace, {
  maxItems: 4,
  description:
    'Where it receives through relays, its own relay first. Empty: nowhere now. Absent: its agent does not send through relays.',
});

export const NatMappingText = Type.Enum(NAT_MAPPINGS, {
  description:
    'How the network of the host treats the port of WireGuard. `none`: no NAT. `endpoint-independent`: a NAT that shows it to all as one port. `address-dependent`: a NAT that shows it to each as another. `udp-blocked`: no UDP gets through.',
});

export const HostNames = Type.Object(
  {
    resolver: Type.String({
      maxLength: 63,
      pattern: '^[A-Za-z0-9/._-]+$',
      description:
        'What programs on the host resolve names of the mesh by: `systemd-resolved`, `resolvconf`, `/etc/resolv.conf`, or `/etc/hosts`, which has only names of nodes.',
    }),
    problem: Type.Optional(
      Type.String({ maxLength: 500, description: 'Why no better one is in use. Absent: it does all that it should.' }),
    ),
  },
  { additionalProperties: false, description: 'How names of the mesh are resolved on the host.' },
);
export type HostNames = Static<typeof HostNames>;

export const Cidr = Type.String({
  maxLength: 43,
  pattern: '^[0-9a-f:.]{2,39}/\\d{1,3}$',
  description: 'A network, such as `10.20.0.0/16`, with no bit set behind its prefix.',
});
export const Cidrs = (meaning: string) => Type.Array(Cidr, { maxItems: 64, uniqueItems: true, description: meaning });

export const AcceptRoutes = Type.Enum(ACCEPT_ROUTES, {
  description:
    '`all`: every route. `subnets`: every route but the default routes `0.0.0.0/0` and `::/0`. `none`: no route.',
});

export const Service = Type.Object(
  {
    name: Type.String({ pattern: SERVICE_NAME_PATTERN, description: 'Unique on its node.' }),
    protocol: Type.Enum(['tcp', 'udp'], { description: 'Its protocol.' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Where it listens.' }),
    health: Type.Optional(
      Type.Enum(SERVICE_HEALTH, { description: 'The result of the node’s own check. Absent: it has none.' }),
    ),
  },
  { additionalProperties: false },
);
export type Service = Static<typeof Service>;
export const Services = Type.Array(Service, { maxItems: 64, description: 'What it offers to others.' });

export const AgentVersion = Type.String({
  maxLength: 64,
  pattern: '^[\\w.+-]+$',
  description: 'Version of the agent.',
});

export const NodeRequest = Type.String({
  minLength: 1,
  maxLength: MAX_NODE_REQUEST,
  description:
    'A certificate request (PKCS #10) of the node, in PEM: the public half of a key that was made for it. It names nothing; the coordinator knows the names of the node.',
});

export const GatewayRequest = Type.String({
  minLength: 1,
  maxLength: MAX_NODE_REQUEST,
  description:
    'A certificate request (PKCS #10) of a gateway, in PEM: the public half of the key that it shows to clients of ingresses. It names nothing; the coordinator knows the host names that are placed on it.',
});

export const NodeStateText = Type.Enum(NODE_STATES, {
  description:
    '`pending`: awaits approval. `quarantined`: cut off by an operator. `stale`, `unreachable`: its heartbeat is overdue, and its present state is not known. `joining`: approved, and its first heartbeat has not arrived yet. `draining`: gives up its roles. `removed`: gone permanently.',
});
