import { actsForPerson, DELEGATION_KEPT_MS, goodUntil } from '../../access/token-state.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';

/** In one transaction: the trail has each of them once more, in the one entry that says they went. */
const AT_ONCE = 100;

/** Removes tokens of people a day after their end. The trail keeps what was done with them, and by whom. */
export async function forgetDelegations(mesh: Mesh): Promise<void> {
  const before_ms = mesh.clock.now() - DELEGATION_KEPT_MS;
  const gone = [...mesh.model.all('token')].filter((token) => isPast(token, before_ms));
  while (gone.length > 0) {
    const some = gone.splice(0, AT_ONCE);
    await mesh.transact({ actor: COORDINATOR, action: 'delegations.forget' }, (tx) => {
      for (const { id } of some) tx.delete('token', id);
      const detail = `${some.length} tokens of people, which ended more than a day ago`;
      tx.record({ target: null, detail, count: some.length });
    });
  }
}

/** What has ended never changes again, so that it need not be looked at once more. */
function isPast({ body }: Stored<'token'>, before_ms: number): boolean {
  if (!actsForPerson(body)) return false;
  const ended_ms = body.revoked_at === null ? goodUntil(body) : Date.parse(body.revoked_at);
  return ended_ms < before_ms;
}
