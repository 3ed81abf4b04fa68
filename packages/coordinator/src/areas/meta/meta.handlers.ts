/** What is there for programs that watch the coordinator rather than the mesh. */
import type { AnswerOf, Operations, Readiness } from '@meshwork/contract';
import type { AreaHandlers } from '../handler.ts';

/** Where the answers come from; `main.ts` fills it in. */
export interface MetaSources {
  readonly openapi: AnswerOf<Operations['meta.openapi']>;
  readonly reference: string;
  readiness(): Promise<Readiness>;
  metrics(): Promise<string>;
}

export function metaHandlers(sources: MetaSources): AreaHandlers<'meta'> {
  const openapi = { body: sources.openapi, json: JSON.stringify(sources.openapi) };
  return {
    'meta.openapi': () => openapi,
    'meta.docs': () => ({ body: sources.reference }),
    'meta.health': () => ({ body: { status: 'ok' } }),
    'meta.ready': async () => {
      const readiness = await sources.readiness();
      return { body: readiness, unavailable: !readiness.ready };
    },
    'meta.metrics': async () => ({ body: await sources.metrics() }),
  };
}
