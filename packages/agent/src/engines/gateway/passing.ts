/** How requests get from nginx to a node. */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { caFile } from './gateway-files.ts';
import { requestHeaders, responseHeaders } from './header-rules.ts';
import { LUA_MODULE } from './lua/program.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, luaBlock, withVariables } from './nginx-text.ts';
import { isGrpc } from './own-answers.ts';
import { type PassedBy, timeouts } from './proxy-defaults.ts';

/** Idle connections that a worker keeps to the nodes of a route. */
const KEPT_CONNECTIONS = 64;

/**
 * Which node a request goes to is chosen for each request: the address is never used. `number`: its own among all of the configuration.
 * Lua keeps what it knows of the route by it, and looks at no variable.
 */
export function upstream(id: string, index: number, route: AssignedRoute, number: number): Directive {
  const balance = isSecure(route) ? 'balance_named' : 'balance';
  return block(
    'upstream',
    [upstreamName(id, index)],
    [
      directive('server', '0.0.0.1'),
      luaBlock('balancer_by_lua_block', `${LUA_MODULE}.${balance}(${number})`),
      directive('keepalive', KEPT_CONNECTIONS),
    ],
  );
}

/** Whether nodes have to prove who they are. */
function isSecure({ protocol }: AssignedRoute): boolean {
  return protocol === 'https' || protocol === 'grpcs';
}

function upstreamName(id: string, index: number): string {
  return `${id}_${index}`;
}

/** To the end of the request: headers, timeouts, and where it goes. */
export function passing(ingress: IngressAssignment, index: number, route: AssignedRoute, input: NginxInput) {
  const by = isGrpc(route) ? 'grpc' : 'proxy';
  const secure = isSecure(route);
  // Without the roots of the mesh no node can prove that it is the one.
  if (secure && input.ca === undefined) return [directive('set', UNSENT, 'absent'), directive('return', 502)];
  const scheme = route.protocol === 'tcp' || route.protocol === 'udp' ? 'http' : route.protocol;
  return [
    ...idle(by, route.traffic),
    ...requestHeaders(by, route, ingress),
    ...responseHeaders(by, route),
    ...(route.traffic.compress ? COMPRESSED : []),
    ...(secure && input.ca !== undefined ? proven(by, `${input.folder}/${caFile(input.ca)}`) : []),
    directive(`${by}_pass`, `${scheme}://${upstreamName(ingress.id, index)}`),
  ];
}

/** Why a request was sent to no node. */
const UNSENT = withVariables('$mesh_unsent');

/** What the answers of nginx itself, its balancer and drains need to know. */
export function routeVariables(id: string, index: number, route: AssignedRoute): readonly Directive[] {
  return [
    directive('set', withVariables('$mesh_route'), `${id}/${index}`),
    directive('set', withVariables('$mesh_service'), route.pools[0]?.service ?? ''),
    directive('set', UNSENT, ''),
  ];
}

function proven(by: PassedBy, roots: string): readonly Directive[] {
  return [
    directive('set', withVariables('$mesh_peer'), ''),
    directive(`${by}_ssl_verify`, 'on'),
    directive(`${by}_ssl_verify_depth`, 3),
    directive(`${by}_ssl_trusted_certificate`, roots),
    directive(`${by}_ssl_name`, withVariables('$mesh_peer')),
    directive(`${by}_ssl_server_name`, 'on'),
    directive(`${by}_ssl_session_reuse`, 'off'), // a session of one node would be offered to another
  ];
}

/** nginx's own: a client that sends nothing of a body, or takes nothing of an answer, is not waited for any longer. */
const CLIENT_IDLE_S = 60;

function idle(by: PassedBy, { connect_timeout_s, idle_timeout_s }: AssignedRoute['traffic']): readonly Directive[] {
  const { connect_timeout_s: connect, idle_timeout_s: usual } = DEFAULT_TRAFFIC;
  const isUsual = connect_timeout_s === connect && idle_timeout_s === usual;
  // The body of a call of gRPC may be a stream that goes on for as long as the call.
  const body_s = by === 'grpc' ? idle_timeout_s : Math.min(idle_timeout_s, CLIENT_IDLE_S);
  return [
    ...(isUsual ? [] : timeouts(by, connect_timeout_s, idle_timeout_s)),
    ...(body_s === CLIENT_IDLE_S ? [] : [directive('client_body_timeout', `${body_s}s`)]),
    ...(idle_timeout_s >= CLIENT_IDLE_S ? [] : [directive('send_timeout', `${idle_timeout_s}s`)]),
  ];
}

/** Texts. Not event streams, which would be held back until there is enough to compress; HTML is always among them. */
const COMPRESSED_TYPES = [
  'application/atom+xml',
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/problem+json',
  'application/rss+xml',
  'application/vnd.api+json',
  'application/wasm',
  'application/xhtml+xml',
  'application/xml',
  'image/svg+xml',
  'text/css',
  'text/csv',
  'text/javascript',
  'text/markdown',
  'text/plain',
  'text/xml',
];

const COMPRESSED: readonly Directive[] = [
  directive('gzip', 'on'),
  directive('gzip_types', ...COMPRESSED_TYPES),
  directive('gzip_proxied', 'any'),
  directive('gzip_vary', 'on'),
  directive('gzip_min_length', 1000), // less fits into one packet as it is
  directive('gzip_comp_level', 4),
];
