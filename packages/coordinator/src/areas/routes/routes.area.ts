/**
 * Routes: networks behind nodes, each with the node that forwards to it. Their operations are those of nodes; here is who
 * provides a network (`provide-routes.ts`, a duty), and what is wrong with one.
 */
import type { Area } from '../area.ts';
import { ProvideRoutes } from './provide-routes.ts';
import { routeAttention } from './route-attention.ts';

export const routes: Area<'routes'> = {
  open: () => ({
    serve: ({ mesh }) => ({
      handlers: {},
      duties: [new ProvideRoutes(mesh)],
      overview: { permitted_by: 'nodes.list', summarize: (facts) => ({ attention: routeAttention(facts) }) },
    }),
  }),
};
