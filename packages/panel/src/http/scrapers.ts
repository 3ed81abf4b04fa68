import { isWholeMesh, MeshError } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import type { TokenCallers } from '../coordinator/token-callers.ts';

/**
 * Scrapers have no session: a token that may read the coordinator's metrics may read the panel's too. Apart from the gate, which
 * refuses every request while the store does not respond: then metrics are needed most.
 */
export function scraperGate(tokens: TokenCallers): (request: FastifyRequest) => Promise<boolean> {
  return async (request) => {
    const token = await tokens.recognise(request);
    if (token === undefined) return false;
    request.panel.token = token;
    if (!token.permissions.has('metrics:read')) {
      throw new MeshError('permission_denied', 'The token lacks metrics:read.');
    }
    if (!isWholeMesh(token.scope)) {
      throw new MeshError('mesh_scope_required', 'Metrics are for callers whose scope is the whole mesh.');
    }
    return true;
  };
}
