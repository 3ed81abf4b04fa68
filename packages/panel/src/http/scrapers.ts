import { isWholeMesh, MeshError } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import type { TokenCallers } from '../coordinator/token-callers.ts';

/**
 * Scrapers sign in nowhere: a token of the coordinator that may read its metrics may read the panel's too. Beside the gate, because
 * metrics are wanted most when the store is silent, and the gate then lets nobody in.
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
