import { checkRoutes } from '../../fleet/check-report.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode } from './ask-node.ts';

/** Says which networks the node may forward to. Who forwards to which is chosen by the steward. */
export function approveRoutes(call: Call<'nodes.approve_routes'>): Promise<Reply<'nodes.approve_routes'>> {
  return askNode(call, ({ tx, node }) => {
    const approved = [...call.body.approved].sort();
    checkRoutes(tx, '/approved', approved);
    tx.put('node', node.id, { ...node.body, routes_approved: approved });
    return { kind: 'approve_routes', detail: { approved }, before: { routes_approved: node.body.routes_approved } };
  });
}
