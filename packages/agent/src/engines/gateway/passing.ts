/** How requests get from nginx to a node. */
import type { AssignedRoute } from '@meshwork/contract';
import { caFile } from './gateway-files.ts';
import { LUA_MODULE } from './lua/program.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, luaBlock, withVariables } from './nginx-text.ts';

/** Idle connections that a worker keeps to the nodes of a route. */
const KEPT_CONNECTIONS = 64;

/** Which node a request goes to is chosen for each request: the address is never used. */
export function upstream(id: string, index: number): Directive {
  return block(
    'upstream',
    [upstreamName(id, index)],
    [
      directive('server', '0.0.0.1'),
      luaBlock('balancer_by_lua_block', `${LUA_MODULE}.balance()`),
      directive('keepalive', KEPT_CONNECTIONS),
    ],
  );
}

function upstreamName(id: string, index: number): string {
  return `${id}_${index}`;
}

export function passing(id: string, index: number, route: AssignedRoute, input: NginxInput): readonly Directive[] {
  const variables = [
    directive('set', withVariables('$mesh_route'), `${id}/${index}`),
    directive('set', withVariables('$mesh_service'), route.pools[0]?.service ?? ''),
    directive('set', withVariables('$mesh_peer'), ''),
  ];
  if (route.protocol === 'http') return [...variables, directive('proxy_pass', `http://${upstreamName(id, index)}`)];
  // Without the roots of the mesh no node can prove that it is the one.
  if (input.ca === undefined) return [...variables, directive('return', 502)];
  return [
    ...variables,
    directive('proxy_ssl_verify', 'on'),
    directive('proxy_ssl_verify_depth', 3),
    directive('proxy_ssl_trusted_certificate', `${input.folder}/${caFile(input.ca)}`),
    directive('proxy_ssl_name', withVariables('$mesh_peer')),
    directive('proxy_ssl_server_name', 'on'),
    directive('proxy_ssl_session_reuse', 'off'), // a session of one node would be offered to another
    directive('proxy_pass', `https://${upstreamName(id, index)}`),
  ];
}
