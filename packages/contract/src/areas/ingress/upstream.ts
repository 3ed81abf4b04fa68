/** How gateways choose among the nodes of a service, speak to them, and find out which of them answer. */
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Strict } from '../../operation.ts';
import { type Static, Type } from '../../type.ts';
import { UpstreamCheck, UpstreamCheckChange } from '../../upstream-check.ts';
import { UPSTREAM_PROTOCOLS } from '../../upstream-reports.ts';
import { SERVICE_NAME_PATTERN } from '../nodes/vocabulary.ts';

export { DEFAULT_UPSTREAM } from './vocabulary.ts';

/** Nodes by what an ingress calls them. */
export const SELECTOR_PATTERN = '^(?:tag:[a-z0-9][a-z0-9._:-]{0,126}|node:[a-z0-9][a-z0-9-]{0,62})$';

const BALANCE_PATTERN =
  '^(?:round_robin|least_connections|hash:(?:address|path|header:[A-Za-z0-9-]{1,64}|cookie:[A-Za-z0-9_-]{1,64}))$';

const protocol = Type.Enum(UPSTREAM_PROTOCOLS, {
  description:
    'How gateways speak to the service. `https`, `grpcs`: with TLS, and the certificate has to be of the mesh CA and for the name of the node (`NODE.mesh`). `tcp` (of the kinds `tcp` and `tls`) and `udp`: bytes that a gateway does not look into.',
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

const proxy_protocol = Type.Boolean({
  description:
    'True: gateways tell the service the address of the client by the PROXY protocol, with each connection. Only for `tcp`.',
});

export const Upstream = named(
  'Upstream',
  Type.Object(
    { protocol, balance, weights, canary, proxy_protocol, check: UpstreamCheck },
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
    proxy_protocol: Type.Optional(proxy_protocol),
    check: Type.Optional(UpstreamCheckChange),
  },
  { description: 'How gateways reach the service. Name only what differs.' },
);
export type UpstreamChange = Static<typeof UpstreamChange>;
