/** What is there for programs that watch the coordinator rather than the mesh. */
import { PreparedDocument } from '@meshwork/service';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import type { MetaSources } from '../runtime.ts';

export const meta: Area<'meta'> = {
  open: () => ({ serve: (runtime) => ({ handlers: handlersOf(runtime.meta) }) }),
};

function handlersOf(sources: MetaSources): AreaHandlers<'meta'> {
  const openapi = new PreparedDocument('application/json; charset=utf-8', () => JSON.stringify(sources.openapi()));
  const docs = new PreparedDocument('text/html; charset=utf-8', () => sources.reference());
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
