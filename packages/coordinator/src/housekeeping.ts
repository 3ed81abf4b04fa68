import type { Leadership } from '@meshwork/store';
import { trimAudit } from './areas/audit/trim-audit.ts';
import { forgetDelegations } from './areas/delegations/forget-delegations.ts';
import { trimEvents } from './areas/events/trim-events.ts';
import { forgetNodes } from './areas/nodes/forget-nodes.ts';
import { forgetOperations } from './areas/operations/forget-operations.ts';
import { announceExpiry } from './areas/tokens/announce-expiry.ts';
import { COORDINATOR } from './mesh/actor.ts';
import { ANSWER_KEPT_MS, ANSWERS_KEPT } from './mesh/idempotency.ts';
import type { Mesh } from './mesh/mesh.ts';

const EVERY_MS = 60_000;
/** Deletions are remembered for as many rounds: a coordinator that is away for longer loads everything anew. */
const ROUNDS_REMEMBERED = 60;
/** What retention removes has an entry in the trail each time, so it is not done for a minute's worth. */
const ROUNDS_BETWEEN_TRIMS = 60;
const DELETES_AT_ONCE = 1000;

/** What somebody has to do now and then; of several coordinators, the one that leads does it. */
export class Housekeeping {
  readonly #mesh: Mesh;
  readonly #failed: (error: unknown) => void;
  readonly #leadership: Leadership;
  readonly #timer: NodeJS.Timeout;
  #revisions: number[] = [];
  #rounds = 0;
  #round: Promise<void> = Promise.resolve();

  constructor(mesh: Mesh, failed: (error: unknown) => void) {
    this.#mesh = mesh;
    this.#failed = failed;
    this.#leadership = mesh.journal.lead('housekeeping', { gained: () => undefined, lost: () => undefined });
    this.#timer = setInterval(() => {
      this.#round = this.#round.then(() => this.tidy()).catch(this.#failed);
    }, EVERY_MS).unref();
  }

  /** One round. */
  async tidy(): Promise<void> {
    if (!this.#leadership.leading) return;
    await forgetAnswers(this.#mesh);
    await announceExpiry(this.#mesh);
    if (this.#rounds++ % ROUNDS_BETWEEN_TRIMS === 0) await removePast(this.#mesh);
    this.#revisions.push(this.#mesh.model.revision);
    if (this.#revisions.length > ROUNDS_REMEMBERED) await this.#mesh.journal.compact(this.#revisions.shift() ?? 0);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    await this.#leadership.release();
  }
}

/** Whatever is past its retention. */
async function removePast(mesh: Mesh): Promise<void> {
  await forgetOperations(mesh);
  await forgetNodes(mesh);
  await forgetDelegations(mesh);
  await trimEvents(mesh);
  await trimAudit(mesh);
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
