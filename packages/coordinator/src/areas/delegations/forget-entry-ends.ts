import { COORDINATOR } from '../../mesh/actor.ts';
import { LONGEST_ENTRY_MS } from '../../mesh/entry-ends.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { workOnSome } from '../../mesh/some-ids.ts';

const AT_ONCE = 100;

/** Once no pass from before can be good any more. */
export async function forgetEntryEnds(mesh: Mesh): Promise<void> {
  const before_ms = mesh.clock.now() - LONGEST_ENTRY_MS;
  const gone = new Set(
    Array.from(mesh.model.all('entry_end')).flatMap(({ id, body }) => (body.at_ms < before_ms ? id : [])),
  );
  while (gone.size > 0) {
    await workOnSome(gone, AT_ONCE, (ids) =>
      mesh.transact({ actor: COORDINATOR, action: 'delegations.forget_ends' }, (tx) => {
        for (const id of ids) tx.delete('entry_end', id);
      }),
    );
  }
}
