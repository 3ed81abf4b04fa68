/** How nginx passes requests on, the same for all routes. */
import { block, type Directive, directive, withVariables } from './nginx-text.ts';

/**
 * What upstreams may take for the word of a proxy. None in front of the gateway is trusted, so whatever a client sends under
 * these names is replaced or dropped.
 */
const REPLACED: readonly (readonly [string, ReturnType<typeof withVariables> | ''])[] = [
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
  ['X-Client-IP', ''],
  ['X-Cluster-Client-IP', ''],
  ['True-Client-IP', ''],
  ['Client-IP', ''],
  ['X-Original-URL', ''],
  ['X-Rewrite-URL', ''],
  ['Proxy', ''], // programs of CGI would take it for the setting HTTP_PROXY
];

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
  ...REPLACED.map(([name, value]) => directive('proxy_set_header', name, value)),
  directive('proxy_redirect', 'off'),
  directive('proxy_request_buffering', 'off'), // uploads stream
  directive('proxy_buffer_size', '16k'),
  directive('proxy_buffers', 8, '16k'),
  directive('proxy_busy_buffers_size', '32k'),
  directive('proxy_max_temp_file_size', 0), // the folder is in memory on most hosts
  directive('proxy_connect_timeout', '3s'),
  directive('proxy_read_timeout', '1h'), // neither a websocket nor a slow answer is cut
  directive('proxy_send_timeout', '1h'),
  directive('proxy_next_upstream', 'error', 'timeout'),
  directive('proxy_next_upstream_tries', 3),
  directive('proxy_next_upstream_timeout', '10s'),
  directive('proxy_socket_keepalive', 'on'),
];
