import { invalid } from '@meshwork/contract';
import { ensureMayClaim } from '../../access/claim-networks.ts';
import { checkRoutes } from '../../mesh/check-routes.ts';
import { sharedRoutes } from '../../mesh/shared-routes.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode } from './ask-node.ts';

/** Says which networks the node may forward to, and for whom. `areas/routes/` chooses which node forwards to which. */
export function approveRoutes(call: Call<'nodes.approve_routes'>): Promise<Reply<'nodes.approve_routes'>> {
  return askNode(call, ({ tx, node, actor }) => {
    const { body } = node;
    const approved = [...call.body.approved].sort();
    checkRoutes(tx, '/approved', approved);
    const sharedBefore = sharedRoutes(tx, body);
    const shared = sharedOf(call.body.shared, { approved, sharedBefore });
    const after = { ...body, routes_approved: approved, routes_shared: shared };
    ensureMayClaim(tx, { actor, before: body, after });
    tx.put('node', node.id, after);
    const before = { routes_approved: body.routes_approved, routes_shared: sharedBefore };
    return { kind: 'approve_routes', detail: { approved, shared }, before };
  });
}

/** A caller that does not say leaves what is shared as it is: it may not know of it, or may not decide it. */
function sharedOf(
  asked: readonly string[] | undefined,
  { approved, sharedBefore }: { readonly approved: readonly string[]; readonly sharedBefore: readonly string[] },
): readonly string[] {
  if (asked === undefined) return approved.filter((cidr) => sharedBefore.includes(cidr));
  for (const [index, cidr] of asked.entries()) {
    if (!approved.includes(cidr)) throw invalid(`/shared/${index}`, `${cidr} is not among the approved networks`);
  }
  return [...asked].sort();
}
