/** What is there for programs that watch the coordinator rather than the mesh. */
import type { AnswerOf, Operations, Readiness } from '@meshwork/contract';
import { PreparedDocument } from '@meshwork/service';
import type { AreaHandlers } from '../handler.ts';

/** Where the answers come from; `main.ts` fills it in. */
export interface MetaSources {
  readonly openapi: AnswerOf<Operations['meta.openapi']>;
  readonly reference: string;
  readiness(): Promise<Readiness>;
  metrics(): Promise<string>;
}

export function metaHandlers(sources: MetaSources): AreaHandlers<'meta'> {
  const openapi = new PreparedDocument('application/json; charset=utf-8', () => JSON.stringify(sources.openapi));
  const docs = new PreparedDocument('text/html; charset=utf-8', () => sources.reference);
  return {
    'meta.openapi': () => ({ document: openapi }),
    'meta.docs': () => ({ document: docs }),
    'meta.health': () => ({ body: { status: 'ok' } }),
    'meta.ready': async () => {
      const readiness = await sources.readiness();
      return { body: readiness, unavailable: !readiness.ready };
    },
    'meta.metrics': async () => ({ body: await sources.metrics() }),
  };
}
