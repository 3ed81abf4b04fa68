import type { OpenApi, Readiness } from '@meshwork/contract';
import { PreparedDocument } from '@meshwork/service';
import type { AreaHandlers } from '../handler.ts';

export interface MetaParts {
  readonly openapi: () => OpenApi;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: () => Promise<string>;
}

/** What the panel says about itself. */
export function metaHandlers({ openapi, readiness, metrics }: MetaParts): AreaHandlers<'meta'> {
  const document = new PreparedDocument('application/json; charset=utf-8', () => JSON.stringify(openapi()));
  return {
    'meta.openapi': () => ({ document }),
    'meta.health': () => ({ body: { status: 'ok' } }),
    'meta.ready': async () => {
      const body = await readiness();
      return { body, unavailable: !body.ready };
    },
    'meta.metrics': async () => ({ body: await metrics() }),
  };
}
