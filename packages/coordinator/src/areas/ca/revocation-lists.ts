import type { Duty, Notes } from '../../duties/duty.ts';
import { earliest } from '../../duties/earliest.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import { makeList, newestOf, revocationsOf } from './make-list.ts';

const HOUR_MS = 3600 * 1000;
/** A list is made anew each day, and good for a week: nodes can be without the coordinator for six days. */
const RENEWED_AFTER_MS = 24 * HOUR_MS;
const GOOD_FOR_MS = 7 * 24 * HOUR_MS;
/**
 * One that was made before this coordinator began to lead is made anew sooner: the store may be a backup, and programs have seen a list
 * with a higher number.
 */
const RENEWED_AFTER_START_MS = HOUR_MS;
/** An entry stays this long after its certificate expired, for programs whose clock is slow. */
const KEPT_AFTER_MS = HOUR_MS;

/** Makes the revocation lists: of every authority, after each revocation, and each day. */
export class RevocationLists implements Duty {
  readonly name = 'ca.revocation_lists';
  readonly on: Notes = {
    authority: ({ id }) => this.#note(id),
    revocation: ({ before, after }) => {
      // One that is gone had expired: it leaves with the next list.
      if (before === undefined && after !== undefined) this.#due.set(after.body.authority, 0);
    },
    revocation_list: ({ id }) => this.#note(id),
  };
  readonly #mesh: Mesh;
  readonly #signing: Signing;
  /** When each authority needs a new list. */
  readonly #due = new Map<string, number>();
  #begun_ms = 0;

  constructor(mesh: Mesh, signing: Signing) {
    this.#mesh = mesh;
    this.#signing = signing;
  }

  get next_at(): number | undefined {
    return earliest(this.#due.values());
  }

  get pending(): boolean {
    return (this.next_at ?? Number.POSITIVE_INFINITY) <= this.#mesh.clock.now();
  }

  begin(): void {
    this.#due.clear();
    this.#begun_ms = this.#mesh.clock.now();
    for (const { id } of this.#mesh.model.all('authority')) this.#note(id);
  }

  end(): void {
    this.#due.clear();
  }

  async run(): Promise<void> {
    const now_ms = this.#mesh.clock.now();
    const [id] = [...this.#due].find(([, at]) => at <= now_ms) ?? [];
    const authority = id === undefined ? undefined : this.#mesh.model.get('authority', id);
    if (id === undefined) return;
    if (authority === undefined || authority.body.state === 'retired') this.#due.delete(id);
    else await this.#make(authority, now_ms);
  }

  /** A new list is due at once when a revocation is newer than the one there is. */
  #note(id: string): void {
    const { model } = this.#mesh;
    const authority = model.get('authority', id)?.body;
    // The last list of a root whose key is outside was made when that was dropped; the next one comes with an intermediate.
    if (authority === undefined || authority.state === 'retired' || authority.key === null) {
      this.#due.delete(id);
      return;
    }
    const list = model.get('revocation_list', id)?.body;
    const isBehind = list === undefined || list.revision < newestOf(revocationsOf(model, id));
    const made_ms = list === undefined ? 0 : Date.parse(list.made_at);
    const isOfTheFuture = made_ms > this.#mesh.clock.now() + HOUR_MS; // made while a clock was wrong
    const renewed_after_ms = made_ms + 1000 < this.#begun_ms ? RENEWED_AFTER_START_MS : RENEWED_AFTER_MS;
    this.#due.set(id, isBehind || isOfTheFuture ? 0 : made_ms + renewed_after_ms);
  }

  async #make(authority: Stored<'authority'>, now_ms: number): Promise<void> {
    const { id } = authority;
    const next_ms = Math.min(Math.floor(now_ms / 1000) * 1000 + GOOD_FOR_MS, Date.parse(authority.body.not_after));
    const wanted = { authority, now_ms, next_ms, kept_after_ms: KEPT_AFTER_MS };
    const list = await makeList(this.#mesh, this.#signing, wanted);
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      // Gone meanwhile, or its key is: then a list that is good for longer was made.
      if ((tx.get('authority', id)?.body.key ?? null) === null) return;
      tx.put('revocation_list', id, list);
    });
  }
}
