import type { Leadership } from '@meshwork/store';
import { COORDINATOR } from './mesh/actor.ts';
import { AUDIT_LOG } from './mesh/audit-entry.ts';
import { ANSWER_KEPT_MS, ANSWERS_KEPT } from './mesh/idempotency.ts';
import type { Mesh } from './mesh/mesh.ts';
import { settingsOf } from './mesh/settings-of.ts';

const EVERY_MS = 60_000;
/** Deletions are remembered for as many rounds: a coordinator that is away for longer loads everything anew. */
const ROUNDS_REMEMBERED = 60;
const DELETES_AT_ONCE = 1000;
const DAY_MS = 24 * 3600 * 1000;

/** What somebody has to do now and then; of several coordinators, the one that leads does it. */
export class Housekeeping {
  readonly #mesh: Mesh;
  readonly #failed: (error: unknown) => void;
  readonly #leadership: Leadership;
  readonly #timer: NodeJS.Timeout;
  #revisions: number[] = [];
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
    await trimAudit(this.#mesh);
    this.#revisions.push(this.#mesh.model.revision);
    if (this.#revisions.length > ROUNDS_REMEMBERED) await this.#mesh.journal.compact(this.#revisions.shift() ?? 0);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    await this.#leadership.release();
  }
}

/** Answers to repeated requests, once they are too old or too many. */
export async function forgetAnswers(mesh: Mesh): Promise<void> {
  const oldest = mesh.clock.now() - ANSWER_KEPT_MS;
  const byAge = [...mesh.model.all('answer')].sort((a, b) => a.body.at_ms - b.body.at_ms);
  const tooMany = Math.max(0, byAge.length - ANSWERS_KEPT);
  const gone = byAge.filter(({ body }, index) => index < tooMany || body.at_ms < oldest).map(({ id }) => id);
  while (gone.length > 0) {
    const some = gone.splice(0, DELETES_AT_ONCE);
    await mesh.transact({ actor: COORDINATOR, action: 'answers.forget' }, (tx) => {
      for (const id of some) tx.delete('answer', id);
    });
  }
}

/** Entries past the retention that the settings give. That they went is itself in the trail. */
export async function trimAudit(mesh: Mesh): Promise<void> {
  const { retention_days } = settingsOf(mesh.model).audit;
  if (retention_days === null) return;
  const before_ms = mesh.clock.now() - retention_days * DAY_MS;
  const trimmed = await mesh.journal.trim(AUDIT_LOG, before_ms);
  if (trimmed === 0) return;
  const detail = `${trimmed} entries older than ${retention_days} days were removed`;
  await mesh.transact({ actor: COORDINATOR, action: 'audit.trim' }, (tx) => tx.record({ target: null, detail }));
}
