/** How gateways choose among the nodes of a service, speak to them, and find out which of them answer. */
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Strict } from '../../operation.ts';
import { type Static, Type } from '../../type.ts';
import { UPSTREAM_PROTOCOLS } from '../../upstream-reports.ts';
import { SERVICE_NAME_PATTERN } from '../nodes/vocabulary.ts';

/** Nodes by what an ingress calls them. */
export const SELECTOR_PATTERN = '^(?:tag:[a-z0-9][a-z0-9._:-]{0,126}|node:[a-z0-9][a-z0-9-]{0,62})$';

export const CHECK_KINDS = ['tcp', 'http', 'none'] as const;

/** A path, with what may follow it. Nothing in it means anything to a server but itself. */
export const PATH_PATTERN = '^/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$';
const BALANCE_PATTERN =
  '^(?:round_robin|least_connections|hash:(?:address|path|header:[A-Za-z0-9-]{1,64}|cookie:[A-Za-z0-9_-]{1,64}))$';

const protocol = Type.Enum(UPSTREAM_PROTOCOLS, {
  description:
    'How gateways speak to the service. `https`: with TLS, and the certificate has to be of the mesh CA and for the name of the node (`NODE.mesh`).',
});
const balance = Type.String({
  pattern: BALANCE_PATTERN,
  description:
    'How requests are spread over its nodes: `round_robin`, `least_connections`, or by a consistent hash of the client’s address (`hash:address`), the path (`hash:path`), a header (`hash:header:X-Tenant`) or a cookie (`hash:cookie:session`), so that the same value leads to the same node.',
});
const weights = Type.Array(
  Strict({
    nodes: Type.String({ pattern: SELECTOR_PATTERN, description: 'Which nodes: `tag:size:large` or `node:web-3`.' }),
    weight: Type.Integer({ minimum: 0, maximum: 100, description: 'Its share against that of others. 0: none.' }),
  }),
  { maxItems: 64, description: 'Nodes that get more or less than others, the first match counts. Others have 1.' },
);
const canary = maybe(
  Strict({
    service: Type.String({ pattern: SERVICE_NAME_PATTERN, description: 'The other service.' }),
    percent: Type.Integer({ minimum: 1, maximum: 99, description: 'How many of 100 requests it gets.' }),
  }),
  'A second service that gets a share of the requests, such as a new version. Null: none does.',
);

const kind = Type.Enum(CHECK_KINDS, {
  description:
    '`tcp`: it takes connections. `http`: it answers a GET as it should. `none`: it is not asked, and counts as up until requests fail.',
});
const path = Type.String({ maxLength: 200, pattern: PATH_PATTERN, description: 'What an `http` check asks for.' });
const status = Type.String({
  pattern: '^[1-5][0-9]{2}(?:-[1-5][0-9]{2})?$',
  description: 'Which status an `http` check takes for a pass: `200`, `200-399`.',
});
const body = maybe(
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x20-\\x7e]+$' }),
  'What the body of the answer has to contain, in its first 64 KiB. Null: anything.',
);
const interval_s = Type.Integer({ minimum: 1, maximum: 300, description: 'Seconds between two checks of a node.' });
const timeout_s = Type.Integer({ minimum: 1, maximum: 60, description: 'Seconds after which a check has failed.' });
const rise = Type.Integer({ minimum: 1, maximum: 20, description: 'Passes in a row after which it is up again.' });
const fall = Type.Integer({ minimum: 1, maximum: 20, description: 'Failures in a row after which it is down.' });

export const UpstreamCheck = named(
  'UpstreamCheck',
  Type.Object(
    { kind, path, status, body, interval_s, timeout_s, rise, fall },
    { additionalProperties: false, description: 'How gateways find out whether a node of the service answers.' },
  ),
);
export type UpstreamCheck = Static<typeof UpstreamCheck>;

export const Upstream = named(
  'Upstream',
  Type.Object(
    { protocol, balance, weights, canary, check: UpstreamCheck },
    { additionalProperties: false, description: 'How gateways reach the service.' },
  ),
);
export type Upstream = Static<typeof Upstream>;

/** What a caller says of it. The rest is as it was, or as in `DEFAULT_UPSTREAM`. */
export const UpstreamChange = Strict(
  {
    protocol: Type.Optional(protocol),
    balance: Type.Optional(balance),
    weights: Type.Optional(weights),
    canary: Type.Optional(canary),
    check: Type.Optional(
      Strict(
        {
          kind: Type.Optional(kind),
          path: Type.Optional(path),
          status: Type.Optional(status),
          body: Type.Optional(body),
          interval_s: Type.Optional(interval_s),
          timeout_s: Type.Optional(timeout_s),
          rise: Type.Optional(rise),
          fall: Type.Optional(fall),
        },
        { description: 'How gateways find out whether a node of the service answers. Name only what differs.' },
      ),
    ),
  },
  { description: 'How gateways reach the service. Name only what differs.' },
);
export type UpstreamChange = Static<typeof UpstreamChange>;

/** Ours. */
export const DEFAULT_UPSTREAM: Upstream = {
  protocol: 'http',
  balance: 'round_robin',
  weights: [],
  canary: null,
  check: {
    kind: 'tcp',
    path: '/',
    status: '200-399',
    body: null,
    interval_s: 5,
    timeout_s: 2,
    rise: 2,
    fall: 3,
  },
};
