/** How nginx passes requests on, the same for all routes. */
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { IDENTITY_HEADERS } from './client-headers.ts';
import { block, type Directive, directive, type Expression, withVariables } from './nginx-text.ts';

/**
 * What upstreams may take for the word of a proxy. Whatever a client sends under these names is replaced or dropped. Where an
 * ingress names proxies that it trusts, `$remote_addr` is what they say of the client.
 */
const REPLACED: readonly (readonly [string, Expression | ''])[] = [
  ['Host', withVariables('$host')],
  ['X-Forwarded-For', withVariables('$remote_addr')],
  ['X-Forwarded-Proto', withVariables('$scheme')],
  ['X-Forwarded-Host', withVariables('$host')],
  ['X-Forwarded-Port', withVariables('$mesh_port')],
  ['X-Real-IP', withVariables('$remote_addr')],
  ['X-Request-Id', withVariables('$request_id')],
  ['Upgrade', withVariables('$mesh_upgrade')],
  ['Connection', withVariables('$mesh_connection')],
  ['Forwarded', ''],
  ['X-Forwarded-Server', ''],
  ['X-Forwarded-Prefix', ''],
  ['X-Forwarded-Scheme', ''],
  ['X-Forwarded-Ssl', ''],
  ['X-Forwarded-User', ''],
  ['X-Forwarded-Client-Cert', ''],
  ...IDENTITY_HEADERS.map(([name]) => [name, ''] as const), // see `client-headers.ts`
  ['Client-Cert', ''],
  ['Client-Cert-Chain', ''],
  ['X-Client-Cert', ''],
  ['X-SSL-Client-Cert', ''],
  ['X-Client-IP', ''],
  ['X-Cluster-Client-IP', ''],
  ['True-Client-IP', ''],
  ['Client-IP', ''],
  ['X-Original-URL', ''],
  ['X-Rewrite-URL', ''],
  ['Proxy', ''], // programs of CGI would take it for the setting HTTP_PROXY
];

/** Of gRPC they would be an error. The host is `:authority` there, which has to be before all others. */
const OF_HTTP_1 = ['Host', 'Upgrade', 'Connection'];
const AUTHORITY = [
  [':authority', withVariables('$host')],
  ['Host', ''], // otherwise nginx would add another one
] as const;

/** Which directives of nginx a route has: `proxy_set_header`, `grpc_set_header`. */
export type PassedBy = 'proxy' | 'grpc';

export function usualHeaders(by: PassedBy): readonly (readonly [string, Expression | ''])[] {
  if (by === 'proxy') return REPLACED;
  return [...AUTHORITY, ...REPLACED.filter(([name]) => !OF_HTTP_1.includes(name))];
}

/** Ours: the rest of a request is tried on other nodes for as long as three of them may take to be reached. */
export function timeouts(by: PassedBy, connect_s: number, idle_s: number): readonly Directive[] {
  return [
    directive(`${by}_connect_timeout`, `${connect_s}s`),
    directive(`${by}_read_timeout`, `${idle_s}s`),
    directive(`${by}_send_timeout`, `${idle_s}s`),
    directive(`${by}_next_upstream_timeout`, `${3 * connect_s + 1}s`),
  ];
}

function usual(by: PassedBy): readonly Directive[] {
  const { connect_timeout_s, idle_timeout_s } = DEFAULT_TRAFFIC;
  return [
    ...usualHeaders(by).map(([name, value]) => directive(`${by}_set_header`, name, value)),
    directive(`${by}_buffer_size`, '16k'),
    ...timeouts(by, connect_timeout_s, idle_timeout_s), // neither a websocket nor a slow answer is cut
    directive(`${by}_next_upstream`, 'error', 'timeout'),
    directive(`${by}_next_upstream_tries`, 3),
    directive(`${by}_socket_keepalive`, 'on'),
  ];
}

export const PROXY_DEFAULTS: readonly Directive[] = [
  // Only websockets: an upgrade to anything else would go past what nginx understands.
  block(
    'map',
    [withVariables('$http_upgrade'), withVariables('$mesh_upgrade')],
    [directive('default', ''), directive('websocket', 'websocket')],
  ),
  block(
    'map',
    [withVariables('$mesh_upgrade'), withVariables('$mesh_connection')],
    [directive('default', ''), directive('websocket', 'upgrade')],
  ),
  directive('proxy_http_version', '1.1'),
  directive('proxy_redirect', 'off'),
  directive('proxy_request_buffering', 'off'), // uploads stream
  directive('proxy_buffers', 8, '16k'),
  directive('proxy_busy_buffers_size', '32k'),
  directive('proxy_max_temp_file_size', 0), // the folder is in memory on most hosts
  directive('proxy_headers_hash_max_size', 2048), // many rules on headers, with long names
  directive('proxy_headers_hash_bucket_size', 256),
  ...usual('proxy'),
  ...usual('grpc'), // streams both ways, without buffers
];
