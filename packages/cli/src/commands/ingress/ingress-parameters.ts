import { canary, redirect, route, weight } from './read-ingress.ts';
import { TRAFFIC } from './traffic-parameters.ts';

/** Flags for what an ingress is made of. The upstream and the rules are those of `/`, which most have only. */
export const PARAMETERS = {
  gateways: { value: 'selector', help: 'which nodes may serve it: tag:role:gateway or node:gw-1' },
  kind: {
    help: 'what gateways take: requests for the host name (http), TLS connections for it that the service ends (tls), or all that comes to a port (tcp, udp)',
  },
  port: { help: 'port of the gateways, for tcp and udp' },
  routes: {
    value: 'path=service',
    help: 'a path that leads to another service, all that there are: /api=api-http; see below for one with an upstream or rules of its own',
    read_each: route,
  },
  upstream: { spread: true },
  'upstream.protocol': {
    flag: 'protocol',
    help: 'how gateways speak to the service; with https and grpcs its certificate has to be of the mesh CA',
  },
  'upstream.balance': {
    flag: 'balance',
    help: 'how requests are spread over its nodes: round_robin, least_connections, hash:address, hash:path, hash:header:NAME or hash:cookie:NAME',
  },
  'upstream.weights': {
    flag: 'weight',
    value: 'selector=weight',
    help: 'nodes that get more or less than others, all that there are: node:web-3=5; others have 1',
    read_each: weight,
  },
  'upstream.canary': {
    flag: 'canary',
    value: 'service=percent',
    help: 'a second service that gets a share of the requests, such as a new version: web-next=5',
    off_help: 'no canary',
    read: canary,
  },
  'upstream.proxy_protocol': {
    flag: 'proxy-protocol',
    help: 'tell the service the address of the client by the PROXY protocol (tcp and tls)',
    off: 'no-proxy-protocol',
    off_help: 'do not use the PROXY protocol',
  },
  'upstream.check.kind': {
    flag: 'check-kind',
    help: 'how gateways check a node: it takes connections (tcp), it answers a request (http), it says that it serves (grpc), or not at all (none)',
  },
  'upstream.check.path': { flag: 'check-path', help: 'what an http check asks for' },
  'upstream.check.status': {
    flag: 'check-status',
    help: 'which status an http check takes for a pass: 200 or 200-399',
  },
  'upstream.check.body': {
    flag: 'check-body',
    value: 'text',
    help: 'what the answer to an http check has to contain',
    off_help: 'any answer passes',
  },
  'upstream.check.grpc_service': {
    flag: 'check-grpc-service',
    value: 'name',
    help: 'which service a grpc check asks about',
    off_help: 'a grpc check asks about the program as a whole',
  },
  'upstream.check.interval_s': { flag: 'check-interval', help: 'time between two checks of a node' },
  'upstream.check.timeout_s': { flag: 'check-timeout', help: 'time after which a check has failed' },
  'upstream.check.rise': { flag: 'check-rise', help: 'passes in a row after which a node is up again' },
  'upstream.check.fall': { flag: 'check-fall', help: 'failures in a row after which a node is down' },
  ...TRAFFIC,
  redirects: {
    flag: 'redirect-path',
    value: 'path=place',
    help: 'a path from which clients are sent elsewhere for good, all that there are: /old=/new; see below for others',
    read_each: redirect,
  },
  'maintenance.message': {
    flag: 'maintenance',
    value: 'text',
    help: 'answer all requests with a page that says this, and with 503',
    off_help: 'let requests through to the service again',
  },
  'maintenance.retry_after_s': {
    flag: 'maintenance-retry-after',
    help: 'when programs should try again (default: 5m)',
    otherwise: () => 300,
  },
  'maintenance.allow': {
    flag: 'maintenance-allow',
    value: 'cidr',
    help: 'networks whose clients get through during maintenance',
    otherwise: () => [],
  },
  'proxies.networks': {
    flag: 'trust-proxy',
    value: 'cidr',
    help: 'networks of proxies in front of the gateways whose word on the address of the client counts, all that there are',
    off_help: 'believe no proxy',
  },
  'proxies.header': {
    flag: 'trust-header',
    value: 'name',
    help: 'where these proxies put the address of the client (default: X-Forwarded-For)',
    otherwise: () => 'X-Forwarded-For',
  },
  mesh_identity: {
    flag: 'mesh-identity',
    help: 'tell the service which node of the mesh asks, in X-Mesh-Node',
    off: 'no-mesh-identity',
    off_help: 'do not tell it',
  },
  counted: {
    flag: 'count-requests',
    help: 'gateways count requests by route and status, as by default (see `mesh ingress traffic`)',
    off: 'no-count-requests',
    off_help: 'gateways count none, and keep no log of them',
  },
  'sign_in.session_s': {
    flag: 'sign-in',
    help: 'people have to sign in at the panel, and stay signed in for so long; any of the flags below has them sign in, too, for 8h',
    off: 'no-sign-in',
    off_help: 'people need not sign in',
  },
  'sign_in.groups': {
    flag: 'sign-in-group',
    value: 'group',
    help: 'members of these groups may enter, all that may; without groups and people, everyone whose scope includes that of the ingress',
  },
  'sign_in.people': {
    flag: 'sign-in-person',
    value: 'name',
    help: 'people who may enter too, by what they sign in with, all that may',
  },
  'sign_in.open': {
    flag: 'sign-in-open',
    value: 'path',
    help: 'paths that need no sign-in, with everything below them, all that there are',
  },
  'sign_in.nodes': {
    flag: 'sign-in-nodes',
    help: 'nodes of the mesh need no sign-in, as by default',
    off: 'no-sign-in-nodes',
    off_help: 'nodes have to sign in too',
  },
  waf: {
    value: 'policy',
    help: 'the WAF policy that requests have to pass, by id or name',
    off_help: 'requests pass without a WAF',
    completes: 'waf',
  },
  'tls.certificate': {
    flag: 'certificate',
    value: 'which',
    help: 'what gateways show to clients: a certificate of the mesh CA (mesh), one that was brought (see `mesh ingress certificate`) or one that an outside authority issues (see `mesh ingress authority`), by its name, or none and plain HTTP only (none)',
    completes: 'certificate',
  },
  'tls.redirect': {
    flag: 'redirect',
    help: 'redirect plain HTTP to HTTPS',
    off: 'no-redirect',
    off_help: 'serve plain HTTP as well',
  },
  'tls.clients': {
    flag: 'clients',
    help: 'ask clients for a certificate of the mesh CA: not at all (none), if they have one (optional), or always (required)',
  },
  'tls.client_names': {
    flag: 'client-name',
    value: 'name',
    help: 'certificates with this DNS name or SPIFFE id pass, all that do: git-1.mesh or spiffe://TRUST-DOMAIN/node/git-1',
  },
} as const;

/** A new ingress has no lists, and one that has some can lose them. */
export const NO_LISTS = {
  routes: { ...PARAMETERS.routes, off: 'no-route', off_help: 'everything goes to the service' },
  redirects: { ...PARAMETERS.redirects, off: 'no-redirect-path', off_help: 'no path is redirected' },
  'upstream.weights': {
    ...PARAMETERS['upstream.weights'],
    off: 'no-weight',
    off_help: 'all nodes get the same share',
  },
  'tls.client_names': {
    ...PARAMETERS['tls.client_names'],
    off: 'no-client-name',
    off_help: 'every certificate of the mesh CA for clients passes',
  },
  'sign_in.groups': {
    ...PARAMETERS['sign_in.groups'],
    off: 'no-sign-in-group',
    off_help: 'no group in particular may enter',
  },
  'sign_in.people': {
    ...PARAMETERS['sign_in.people'],
    off: 'no-sign-in-person',
    off_help: 'no person in particular may enter',
  },
  'sign_in.open': { ...PARAMETERS['sign_in.open'], off: 'no-sign-in-open', off_help: 'every path needs a sign-in' },
  'traffic.networks.allow': {
    ...TRAFFIC['traffic.networks.allow'],
    off: 'no-allow-network',
    off_help: 'clients of all networks pass',
  },
  'traffic.networks.deny': {
    ...TRAFFIC['traffic.networks.deny'],
    off: 'no-deny-network',
    off_help: 'no network is kept out',
  },
  'traffic.request_headers': {
    ...TRAFFIC['traffic.request_headers'],
    off: 'no-request-header',
    off_help: 'headers reach the service as they are',
  },
  'traffic.response_headers': {
    ...TRAFFIC['traffic.response_headers'],
    off: 'no-response-header',
    off_help: 'headers reach the client as they are',
  },
} as const;
