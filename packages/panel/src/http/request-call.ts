import type { BodyOf, PanelOperationId, PanelOperations, ParamsOf, QueryOf } from '@meshwork/contract';
import { ifMatchOf } from '@meshwork/service';
import type { FastifyRequest } from 'fastify';
import type { Call } from '../areas/handler.ts';
import type { Site } from '../site.ts';
import { causeOf } from './answer-errors.ts';
import { keptBy } from './cookies.ts';

interface CallParts<I extends PanelOperationId> {
  readonly id: I;
  readonly request: FastifyRequest;
  readonly body: unknown;
  readonly site: Site;
  readonly now_ms: number;
}

/** A request that passed the gate and its schema, as the use case of its operation sees it. */
export function callOf<I extends PanelOperationId>({ id, request, body, site, now_ms }: CallParts<I>): Call<I> {
  const { headers, panel } = request;
  return {
    id,
    person: panel.person,
    token: panel.token,
    params: request.params as ParamsOf<PanelOperations[I]>,
    // The validator of the operation's own schema has just said so.
    query: request.query as QueryOf<PanelOperations[I]>,
    body: body as BodyOf<PanelOperations[I]>,
    if_match: ifMatchOf(headers['if-match']),
    now_ms,
    cause: causeOf(request, id),
    address: request.ip,
    user_agent: headers['user-agent'] ?? '',
    kept: keptBy(site, headers.cookie),
    search: new URL(request.url, site.url).search,
  };
}
