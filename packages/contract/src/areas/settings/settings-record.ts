import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Cidr } from '../../node-fields.ts';
import { Strict } from '../../operation.ts';
import { type Static, type TSchema, Type } from '../../type.ts';
import { MAX_CA_DOMAINS, MIN_CERTIFICATE_LIFE_S } from '../ca/vocabulary.ts';
import { HOST_PATTERN } from '../relays/index.ts';
import { RoleName } from '../roles/index.ts';

const count = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
const SurfaceName = Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,62}$' });

/** What each section holds, apart from `surface_roles`, of which a patch can also take entries away. */
const TOKENS = { max_lifetime_days: count(1, 3660, 'The longest a token may be made to live, in days.') };
const API = {
  rate_per_s: count(1, 1_000_000, 'Requests a second that one token may send for long.'),
  burst: count(1, 1_000_000, 'Requests that one token may send at once.'),
};
const AUDIT = {
  retention_days: maybe(count(1, 36_600, ''), 'Days that audit entries are kept. Null: for ever.'),
};
const NODES = {
  address_pool: Type.String({ ...Cidr, description: 'Where IPv4 addresses of new nodes come from; /8 to /30.' }),
  address6_prefix: maybe(Cidr, 'Where IPv6 addresses of new nodes come from, a /64. Null: one made for this mesh.'),
  require_approval: Type.Boolean({ description: 'Whether a new node is `pending` until it is approved.' }),
  heartbeat_interval_s: count(1, 300, 'Seconds between heartbeats of a node.'),
  stale_after_s: count(2, 3600, 'A node whose heartbeat is older is `stale`. At least twice the interval.'),
  unreachable_after_s: count(3, 86_400, 'A node whose heartbeat is older is `unreachable`. More than `stale_after_s`.'),
  drift_after_s: count(1, 3600, 'How long a node may take to reach its desired state before it counts as drift.'),
  port_mapping: Type.Boolean({
    description:
      'Whether a node behind a NAT asks its router to map a port to WireGuard, by PCP, NAT-PMP or UPnP. Then peers anywhere can send to that port.',
  }),
  removed_kept_days: count(0, 3660, 'Days that the record of a removed node is kept.'),
};
const OPERATIONS = {
  timeout_s: count(1, 86_400, 'How long an operation on a node may take to be proven.'),
  kept_days: count(1, 3660, 'Days that an operation is kept after its end.'),
};
const RELAYS = {
  move_gain_ms: count(0, 10_000, 'A node moves to a nearer relay only if that saves so many milliseconds.'),
  move_ratio_percent: count(
    1,
    100,
    'And only if the round trip becomes at most this part of the present one, in percent. 66: two thirds.',
  ),
  allow_special_addresses: Type.Boolean({
    description:
      'Whether a relay may be at a loopback, link-local, multicast or metadata address. For labs only: every node sends to it.',
  }),
};
const DNS = {
  routing_domains: Type.Array(Type.String({ maxLength: 300, pattern: '^[a-z0-9.-]{1,253}=[0-9a-f:.]{2,45}$' }), {
    maxItems: 96,
    uniqueItems: true,
    description:
      'Domains that nodes resolve by resolvers of their own (split DNS), each with the address of one: `corp.example.org=10.0.0.53`. A domain with several entries has several resolvers, tried in this order.',
  }),
  allow_special_addresses: Type.Boolean({
    description:
      'Whether records and resolvers may have loopback, link-local, multicast and metadata addresses. For labs only.',
  }),
};
const CA = {
  root_lifetime_days: count(30, 7300, 'How long a new root certificate lives, in days.'),
  intermediate_lifetime_days: count(1, 3650, 'How long a new intermediate certificate lives, in days.'),
  node_lifetime_s: count(
    MIN_CERTIFICATE_LIFE_S,
    90 * 86_400,
    'How long a new certificate of a node lives, in seconds. It is renewed in the last third.',
  ),
  service_lifetime_s: count(
    MIN_CERTIFICATE_LIFE_S,
    398 * 86_400,
    'The longest that a certificate of a service may live, in seconds.',
  ),
  domains: Type.Array(Type.String({ maxLength: 253, pattern: HOST_PATTERN }), {
    maxItems: MAX_CA_DOMAINS,
    uniqueItems: true,
    description:
      'Domains besides `mesh` whose names a new root can certify, such as `corp.example.org`, for host names of ingresses. In effect with the next rotation of the root.',
  }),
  distribution_url: maybe(
    Type.String({ maxLength: 200, pattern: '^https?://[^\\s?#@]+$' }),
    'Where machines reach the coordinator for revocation lists: `http` or `https`, host and port. Certificates that are issued from then on have the address of the list in them. Null: they have none.',
  ),
};
const WAF = {
  events_days: count(1, 3660, 'Days that WAF events are kept.'),
  events_most: count(1000, 10_000_000, 'How many WAF events are kept at most: the latest.'),
};
const EVENTS = { retention_days: count(1, 3660, 'Days that events are kept for those who missed them.') };

const whole = <P extends Record<string, TSchema>>(fields: P, description: string) =>
  Type.Object(fields, { additionalProperties: false, description });
const part = <P extends Record<string, TSchema>>(fields: P, description: string) =>
  Type.Optional(Type.Partial(Type.Object(fields), { additionalProperties: false, description }));

const ABOUT = {
  tokens: 'Scoped tokens.',
  api: 'Rate limits.',
  audit: 'The audit trail.',
  nodes: 'Nodes and their heartbeats.',
  operations: 'Operations on nodes.',
  relays: 'Relays.',
  dns: 'Names.',
  ca: 'The mesh CA.',
  waf: 'WAF events.',
  events: 'The stream of events.',
} as const;

/** Everything an operator can tune while the mesh runs. Each area adds a section of its own. */
export const Settings = named(
  'Settings',
  Type.Object(
    {
      tokens: whole(
        {
          ...TOKENS,
          surface_roles: Type.Record(SurfaceName, RoleName, {
            description: 'The role of a token that names none, by its surface.',
          }),
        },
        ABOUT.tokens,
      ),
      api: whole(API, ABOUT.api),
      audit: whole(AUDIT, ABOUT.audit),
      nodes: whole(NODES, ABOUT.nodes),
      operations: whole(OPERATIONS, ABOUT.operations),
      relays: whole(RELAYS, ABOUT.relays),
      dns: whole(DNS, ABOUT.dns),
      ca: whole(CA, ABOUT.ca),
      waf: whole(WAF, ABOUT.waf),
      events: whole(EVENTS, ABOUT.events),
    },
    { additionalProperties: false },
  ),
);
export type Settings = Static<typeof Settings>;

/** JSON merge patch (RFC 7396): what is absent stays, and `null` removes an entry of `surface_roles`. */
export const SettingsPatch = Strict({
  tokens: part(
    {
      ...TOKENS,
      surface_roles: Type.Record(SurfaceName, maybe(RoleName), {
        additionalProperties: false,
        maxProperties: 200,
        description: 'The role of a token that names none, by its surface. Null removes an entry.',
      }),
    },
    ABOUT.tokens,
  ),
  api: part(API, ABOUT.api),
  audit: part(AUDIT, ABOUT.audit),
  nodes: part(NODES, ABOUT.nodes),
  operations: part(OPERATIONS, ABOUT.operations),
  relays: part(RELAYS, ABOUT.relays),
  dns: part(DNS, ABOUT.dns),
  ca: part(CA, ABOUT.ca),
  waf: part(WAF, ABOUT.waf),
  events: part(EVENTS, ABOUT.events),
});
export type SettingsPatch = Static<typeof SettingsPatch>;
