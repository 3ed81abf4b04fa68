import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { KEPT_MS } from './limits.ts';

const AT_ONCE = 200;

/** Removes orders and authorizations that ended a day ago. Certificates stay. */
export async function forgetOrders(mesh: Mesh): Promise<void> {
  const before_ms = mesh.clock.now() - KEPT_MS;
  for (const kind of ['acme_order', 'acme_authorization'] as const) {
    const past = [...mesh.model.all(kind)].filter(({ body }) => Date.parse(body.expires) <= before_ms);
    while (past.length > 0) {
      const some = past.splice(0, AT_ONCE);
      await mesh.transact({ actor: COORDINATOR, action: 'acme.forget' }, (tx) => {
        for (const { id } of some) tx.delete(kind, id);
        tx.record({ target: null, detail: 'what ended more than a day ago', count: some.length });
      });
    }
  }
}
