/**
 * What keeps the store small, whatever the areas are: deletes old answers to repeated requests, and records of
 * deletions.
 */
import { COORDINATOR } from '../mesh/actor.ts';
import { ANSWER_KEPT_MS, ANSWERS_KEPT } from '../mesh/idempotency.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Duty } from './duty.ts';

const MINUTE_S = 60;
/** Deletions are remembered for as many minutes: a coordinator that is away for longer loads everything anew. */
const MINUTES_REMEMBERED = 60;
const DELETES_AT_ONCE = 1000;

export function journalDuties(mesh: Mesh): readonly Duty[] {
  return [{ name: 'answers.forget', every_s: MINUTE_S, run: () => forgetAnswers(mesh) }, compactJournal(mesh)];
}

function compactJournal(mesh: Mesh): Duty {
  const revisions: number[] = [];
  return {
    name: 'journal.compact',
    every_s: MINUTE_S,
    run: async () => {
      revisions.push(mesh.model.revision);
      if (revisions.length > MINUTES_REMEMBERED) await mesh.journal.compact(revisions.shift() ?? 0);
    },
  };
}

/** Answers to repeated requests, once they are too old or too many. */
export async function forgetAnswers(mesh: Mesh): Promise<void> {
  const oldest = mesh.clock.now() - ANSWER_KEPT_MS;
  const byAge = [...mesh.model.all('answer')].sort((a, b) => a.body.at_ms - b.body.at_ms);
  const tooMany = Math.max(0, byAge.length - ANSWERS_KEPT);
  const gone = byAge.filter(({ body }, index) => index < tooMany || body.at_ms < oldest);
  while (gone.length > 0) {
    const some = gone.splice(0, DELETES_AT_ONCE);
    await mesh.transact({ actor: COORDINATOR, action: 'answers.forget' }, (tx) => {
      // Looked at again: a request may have come under the same key meanwhile, and its answer is a fresh one.
      for (const { id, revision } of some) if (tx.get('answer', id)?.revision === revision) tx.delete('answer', id);
    });
  }
}
