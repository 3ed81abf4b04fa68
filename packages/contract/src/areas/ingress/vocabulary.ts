import type { Vocabulary } from '../../vocabulary-type.ts';

export const ingressVocabulary = {
  permissions: {
    'ingress:read': 'List and read ingresses.',
    'ingress:write': 'Create, change, drain and delete ingresses.',
    'ingress:probe': 'Have nodes try from outside whether people reach an ingress.',
  },
  ids: { ingress: 'ingress' },
} as const satisfies Vocabulary;

/** How people outside fare with it. */
export const OUTSIDE_VERDICTS = ['reached', 'partly', 'unreached', 'unproven'] as const;

/** What a check from outside can find. */
export const OUTSIDE_FINDINGS = [
  'no_record',
  'no_resolver',
  'private_address',
  'foreign_address',
  'unreachable',
  'no_tls',
  'other_server',
  'certificate',
  'mesh_certificate',
  'served',
  'forwarded',
  'connects',
  'not_in_dns',
  'not_reached',
  'no_proof',
  'udp',
] as const;

/** Ours. An `Upstream`, for programs that load no schemas. Where it is not for HTTP, `protocol` and `check.kind` differ. */
export const DEFAULT_UPSTREAM = {
  protocol: 'http' as const,
  balance: 'round_robin',
  weights: [] as [],
  canary: null,
  proxy_protocol: false,
  check: {
    kind: 'tcp' as const,
    path: '/',
    status: '200-399',
    body: null,
    grpc_service: null,
    interval_s: 5,
    timeout_s: 2,
    rise: 2,
    fall: 3,
  },
};

/** Ours. A `Traffic`: everything passes, as it is, and nothing that is slow is cut. */
export const DEFAULT_TRAFFIC = {
  networks: { allow: [] as [], deny: [] as [] },
  limits: { requests: null, connections: null },
  request_headers: [] as [],
  response_headers: [] as [],
  max_body_bytes: null,
  connect_timeout_s: 3,
  idle_timeout_s: 3600,
  compress: false,
};

/** Ours: where people sign in, once an operator says that they have to. Eight hours are a working day. */
export const DEFAULT_SIGN_IN = { groups: [], people: [], nodes: true, open: [], session_s: 28_800 };

/** Ours, for the kind `udp`: only time says that a client has gone who sends datagrams. */
export const UDP_IDLE_TIMEOUT_S = 60;

/** Headers that gateways make themselves, or that belong to one connection. No rule can change them. */
export const GATEWAY_HEADERS = [
  'connection',
  'content-length',
  'content-encoding',
  'date',
  'expect',
  'forwarded',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-client-certificate-fingerprint',
  'x-client-certificate-names',
  'x-client-certificate-serial',
  'x-client-certificate-spiffe-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-mesh-groups',
  'x-mesh-node',
  'x-mesh-node-spiffe-id',
  'x-mesh-user',
  'x-mesh-user-id',
  'x-real-ip',
  'x-request-id',
] as const;

/** However it is spelled. */
export function isGatewayHeader(name: string): boolean {
  return GATEWAY_HEADERS.some((one) => one === name.toLowerCase());
}

/** Whether proxies may write who asks there. Not `Host`; of what gateways make, only these two are for that. */
export function saysClientAddress(header: string): boolean {
  const name = header.toLowerCase();
  return name === 'x-forwarded-for' || name === 'x-real-ip' || (name !== 'host' && !isGatewayHeader(name));
}
