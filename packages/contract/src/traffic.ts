/** What a gateway lets through on a path, and how. Said by operators, and sent to gateways. */
import { maybe } from './maybe.ts';
import { named } from './named.ts';
import { Cidr } from './node-fields.ts';
import { Strict } from './operation.ts';
import { type Static, Type } from './type.ts';

export const Networks = (meaning: string) =>
  Type.Array(Cidr, { maxItems: 256, uniqueItems: true, description: meaning });

const allow = Networks('Only clients from these networks pass. Empty: from all.');
const deny = Networks('Clients from these networks do not pass, whatever `allow` says.');

const requests = maybe(
  Strict({
    rate: Type.String({
      pattern: '^[1-9][0-9]{0,5}/[sm]$',
      description: 'How many a client may send in a second or a minute: `20/s`, `100/m`.',
    }),
    burst: Type.Integer({ minimum: 0, maximum: 10_000, description: 'How many more it may send at once.' }),
  }),
  'Requests of one address (IPv6: of its /64), at each gateway. More are answered with 429. Null: any number.',
);
const connections = maybe(
  Type.Integer({ minimum: 1, maximum: 65_535 }),
  'How many requests, or connections where a gateway does not look into them, one address may have open at each gateway. Null: any number.',
);

const by = Type.Optional(
  Type.Enum(['address', 'identity'], {
    description:
      '`identity`: what a node of the mesh, the holder of a client certificate or a person who has signed in does is counted together, from wherever they come. Those of whom none of this is known count by address. `address` or absent: all count by address. Only for the kind `http`.',
  }),
);

/** No longer: nginx has no room for longer ones with gRPC, and those in use are shorter. */
export const HEADER_NAME_PATTERN = '^[A-Za-z][A-Za-z0-9-]{0,45}$';
const HeaderRule = Strict({
  name: Type.String({ pattern: HEADER_NAME_PATTERN, description: 'Its name.' }),
  value: maybe(
    Type.String({ maxLength: 4000, pattern: '^(?:[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?)?$' }),
    'What it is set to, instead of what was there. Null: it is removed.',
  ),
});
const headers = (meaning: string) => Type.Array(HeaderRule, { maxItems: 64, description: meaning });
const request_headers = headers('Headers that are set or removed on the way to the service. `Host` may be set.');
const response_headers = headers('Headers that are set or removed on the way to the client.');

const max_body_bytes = maybe(
  Type.Integer({ minimum: 0, maximum: 2 ** 50 }),
  'Requests with a larger body are answered with 413. Null: any size.',
);
const connect_timeout_s = Type.Integer({
  minimum: 1,
  maximum: 60,
  description: 'Seconds that a node may take to accept a connection.',
});
const idle_timeout_s = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: 'Seconds without a byte after which a request, a websocket or a connection is ended.',
});
const compress = Type.Boolean({ description: 'True: text is compressed (gzip) for clients that take it.' });

const OF_NETWORKS = { description: 'Which clients pass, by their addresses.' };
const OF_LIMITS = { description: 'How much one client may do at each gateway.' };

/** Where a gateway does not look into what passes, only `networks`, `limits.connections` and the timeouts mean something. */
export const Traffic = named(
  'Traffic',
  Type.Object(
    {
      networks: Type.Object({ allow, deny }, { additionalProperties: false, ...OF_NETWORKS }),
      limits: Type.Object({ requests, connections, by }, { additionalProperties: false, ...OF_LIMITS }),
      request_headers,
      response_headers,
      max_body_bytes,
      connect_timeout_s,
      idle_timeout_s,
      compress,
    },
    { additionalProperties: false, description: 'What passes, and how.' },
  ),
);
export type Traffic = Static<typeof Traffic>;

/** What a caller says of it. The rest is as it was; for a route, as the ingress has it. */
export const TrafficChange = named(
  'TrafficChange',
  Strict(
    {
      networks: Type.Optional(Strict({ allow: Type.Optional(allow), deny: Type.Optional(deny) }, OF_NETWORKS)),
      limits: Type.Optional(
        Strict({ requests: Type.Optional(requests), connections: Type.Optional(connections), by }, OF_LIMITS),
      ),
      request_headers: Type.Optional(request_headers),
      response_headers: Type.Optional(response_headers),
      max_body_bytes: Type.Optional(max_body_bytes),
      connect_timeout_s: Type.Optional(connect_timeout_s),
      idle_timeout_s: Type.Optional(idle_timeout_s),
      compress: Type.Optional(compress),
    },
    { description: 'What passes, and how. Name only what differs.' },
  ),
);
export type TrafficChange = Static<typeof TrafficChange>;
