import { ApiError, type Client } from '@meshwork/client';
import { isWholeMesh, MeshError } from '@meshwork/contract';
import { householdOf, type RateLimit } from '@meshwork/service';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../coordinator/unavailable.ts';
import { STRANGERS } from './gate.ts';

/**
 * Scrapers sign in nowhere: a token of the coordinator that may read its metrics may read the panel's too. The coordinator
 * is asked each time, so that a token that was revoked is so here as well.
 */
export function scraperGate(client: Client, limit: RateLimit): (request: FastifyRequest) => Promise<boolean> {
  return async (request) => {
    const [, token] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) return false;
    limit.take(`address ${householdOf(request.ip)}`, STRANGERS);
    const { permissions, scope } = await whoIs(client, token);
    if (!permissions.includes('metrics:read'))
      throw new MeshError('permission_denied', 'The token lacks metrics:read.');
    if (!isWholeMesh(scope)) throw new MeshError('permission_denied', 'The token is not for the whole mesh.');
    return true;
  };
}

async function whoIs(client: Client, token: string) {
  try {
    return (await client.call('self.whoami', { token, retry: false })).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      throw new MeshError('credentials_invalid', 'The coordinator does not take the token.');
    }
    throw unavailable('it gives no answer', { cause: error });
  }
}
