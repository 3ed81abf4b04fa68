/**
 * What nginx writes of each request that it has answered, by its own log: a line of numbers, and which route of which ingress it was.
 * No path, no query, no header and no address is in it, and no Lua runs for it.
 */
import type { IngressAssignment } from '@meshwork/contract';
import { GATEWAY_FILES } from '../gateway-files.ts';
import { type Directive, directive, withVariables } from '../nginx-text.ts';

const FORMAT = 'mesh_traffic';

export function isCounted({ counted, kind }: Pick<IngressAssignment, 'counted' | 'kind'>): boolean {
  return counted === true && kind === 'http';
}

/** Once for all servers. What nginx could not read far enough to know a route has the name of its server alone. */
export function logFormat(section: readonly IngressAssignment[]): readonly Directive[] {
  if (!section.some(isCounted)) return [];
  return [
    directive(
      'log_format',
      FORMAT,
      withVariables(
        '$mesh_counted|$server_name|$status|$request_time|$upstream_response_time|$request_length|$bytes_sent|$server_protocol',
      ),
    ),
  ];
}

/** In a server of the ingress. */
export function countedServer(ingress: IngressAssignment, folder: string): readonly Directive[] {
  if (!isCounted(ingress)) return [];
  return [
    directive('set', withVariables('$mesh_counted'), ingress.id),
    directive('access_log', `${folder}/${GATEWAY_FILES.requests}`, FORMAT, 'buffer=64k', 'flush=1s'),
  ];
}

/** In a location of a route. */
export function countedRoute(ingress: IngressAssignment, path: string): readonly Directive[] {
  return isCounted(ingress) ? [directive('set', withVariables('$mesh_counted'), `${ingress.id}${path}`)] : [];
}
