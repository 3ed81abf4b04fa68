/** The mesh at a glance, for a dashboard. Each area says what it adds (`areas/summary.ts`); `show-overview.ts` puts it together. */
import type { Area } from '../area.ts';
import { showOverview } from './show-overview.ts';

export const overview: Area<'overview'> = {
  open: () => ({
    serve: ({ mesh, summaries }) => ({
      handlers: { 'overview.show': (call) => ({ body: showOverview(mesh.model, summaries(), call) }) },
    }),
  }),
};
