/** What a gateway listens for, and what it does with a request before that comes to a path. Said by operators, and sent to gateways. */
import { maybe } from './maybe.ts';
import { Strict } from './operation.ts';
import { HEADER_NAME_PATTERN, Networks } from './traffic.ts';
import { type Static, Type } from './type.ts';
import { PATH_PATTERN } from './upstream-check.ts';

const INGRESS_KINDS = ['http', 'tls', 'tcp', 'udp'] as const;
export const IngressKind = Type.Enum(INGRESS_KINDS, {
  description:
    '`http`: requests for the host name, also gRPC and websockets. `tls`: TLS connections for the host name, which the service itself ends. `tcp`, `udp`: everything that comes to `port` of a gateway.',
});
export type IngressKind = Static<typeof IngressKind>;
export const IngressPort = Type.Integer({
  minimum: 1,
  maximum: 65_535,
  description: 'Port of the gateways, for the kinds `tcp` and `udp`.',
});

/** Who asks, by the mesh. */
export const MeshIdentity = Type.Boolean({
  description:
    'True: the service learns which node of the mesh asks (`X-Mesh-Node`), where one comes by its own address in the mesh to that of a gateway. Only for the kind `http`.',
});

/** Whether gateways keep a log of requests at all. */
export const Counted = Type.Boolean({
  description:
    'True: its gateways count its requests by route and status, and nothing else of them. Only for the kind `http`, which has it unless it says otherwise.',
});

const CLIENT_CERTIFICATES = ['none', 'optional', 'required'] as const;
/** Who may ask, by certificate. */
export const ClientCertificates = Type.Enum(CLIENT_CERTIFICATES, {
  description:
    'Certificates of clients, checked against the mesh CA and its revocation lists. `none`: they are not asked for. `optional`: a client without one passes, and one whose certificate is not accepted gets 403. `required`: both get 403. Only for the kind `http`, with TLS; `required` needs `redirect`.',
});
export type ClientCertificates = Static<typeof ClientCertificates>;

export const ClientNames = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
  maxItems: 64,
  uniqueItems: true,
  description:
    'DNS names and SPIFFE ids, such as `git-1.mesh` and `spiffe://TRUST-DOMAIN/node/git-1`. A certificate passes only if it has one of them. Empty: every certificate of the mesh CA for clients does.',
});

/** A place on this host, or on another one. No variable of any server, and no second host after a slash. */
const PLACE_PATTERN =
  "^(?:https?://[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~!&'()*+,;=:@%/?-]*)?|/(?!/)[A-Za-z0-9._~!&'()*+,;=:@%/?-]*)$";

export const Redirects = Type.Array(
  Strict({
    path: Type.String({
      maxLength: 200,
      pattern: PATH_PATTERN,
      description: 'The path, with everything below it. The longest path counts, of redirects and routes together.',
    }),
    to: Type.String({
      maxLength: 1000,
      pattern: PLACE_PATTERN,
      description: 'Where clients are sent: a path on this host (`/new`), or another host, with its scheme.',
    }),
    status: Type.Union([Type.Literal(301), Type.Literal(302), Type.Literal(307), Type.Literal(308)], {
      description: '301 and 308: for good. 302 and 307: for now. 307 and 308 keep the method and the body.',
    }),
    keep: Type.Boolean({
      description: 'True: what follows the path, and the query, are put behind `to`. False: all go to the same place.',
    }),
  }),
  { maxItems: 64, description: 'Paths from which clients are sent elsewhere, all of them.' },
);

export const Maintenance = maybe(
  Strict({
    message: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\x00-\\x09\\x0b-\\x1f\\x7f]+$',
      description: 'What people read.',
    }),
    retry_after_s: Type.Integer({ minimum: 1, maximum: 86_400, description: 'When programs should try again.' }),
    allow: Networks('Clients from these networks pass as usual.'),
  }),
  'While it is set, requests get this page, with 503, and do not reach the service. Null: they do.',
);

export const TrustedProxies = maybe(
  Strict({
    networks: Networks('The proxies.'),
    header: Type.String({
      pattern: HEADER_NAME_PATTERN,
      description: 'Where they put the address of the client: `X-Forwarded-For`, `CF-Connecting-IP`.',
    }),
  }),
  'Proxies in front of the gateways whose word on the address of the client counts. From all others the header means nothing. Null: no proxy is believed.',
);
