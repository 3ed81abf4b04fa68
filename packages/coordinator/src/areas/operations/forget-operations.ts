import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { trimResults } from '../../operations/operation-results.ts';

const DAY_MS = 24 * 3600 * 1000;
/** In one transaction: the trail has each of them once more, in the one entry that says they went. */
const AT_ONCE = 100;

/** Removes operations that ended longer ago than the settings keep them. */
export async function forgetOperations(mesh: Mesh): Promise<void> {
  const { kept_days } = settingsOf(mesh.model).operations;
  const before_ms = mesh.clock.now() - kept_days * DAY_MS;
  const gone = [...mesh.model.all('operation')].filter((operation) => isPast(operation, before_ms));
  while (gone.length > 0) {
    const some = gone.splice(0, AT_ONCE);
    await mesh.transact({ actor: COORDINATOR, action: 'operations.forget' }, (tx) => {
      for (const { id } of some) tx.delete('operation', id);
      const detail = `${some.length} operations that ended more than ${kept_days} days ago`;
      tx.record({ target: null, detail, count: some.length });
    });
  }
  await trimResults(mesh.journal, before_ms); // afterwards: an operation that is shown has its answer
}

/** What has ended never changes again, so that it need not be looked at once more. */
function isPast({ body }: Stored<'operation'>, before_ms: number): boolean {
  return body.ended_at !== null && Date.parse(body.ended_at) < before_ms;
}
