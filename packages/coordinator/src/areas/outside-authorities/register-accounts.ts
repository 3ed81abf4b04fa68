import {
  accountId,
  directoryAt,
  type OutsideAccounts,
  reasonOf,
  type Where,
} from '../../acme-client/outside-accounts.ts';
import type { Duty, Notes } from '../../duties/duty.ts';
import { earliest } from '../../duties/earliest.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';

/** Ours: after a failure, doubled each time. */
const AGAIN_MS = { least: 60_000, most: 3_600_000 };

interface Parts {
  readonly mesh: Mesh;
  readonly accounts: OutsideAccounts;
  readonly failed: (error: unknown) => void;
}

/** Has accounts made and changed as authorities are, without waiting for them: an authority may take as long as it likes. */
export class RegisterAccounts implements Duty {
  readonly name = 'outside_authorities.register';
  readonly on: Notes = { outside_authority: ({ id }) => this.#note(id) };
  readonly #parts: Parts;
  readonly #due = new Set<string>();
  readonly #later = new Map<string, { readonly at: number; readonly tries: number }>();
  readonly #working = new Map<string, Promise<void>>();
  #leading = new AbortController();
  #ask = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get pending(): boolean {
    return this.#due.size > 0;
  }

  get next_at(): number | undefined {
    return earliest(this.#later.values().map(({ at }) => at));
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  begin(): void {
    this.#leading = new AbortController();
    for (const { id } of this.#parts.mesh.model.all('outside_authority')) this.#note(id);
  }

  end(): void {
    this.#leading.abort();
    this.#due.clear();
    this.#later.clear();
  }

  async close(): Promise<void> {
    this.#leading.abort();
    await Promise.all(this.#working.values());
  }

  async run(): Promise<void> {
    const now_ms = this.#parts.mesh.clock.now();
    for (const [id, { at }] of this.#later) if (at <= now_ms) this.#due.add(id);
    for (const id of [...this.#due]) {
      this.#due.delete(id);
      if (this.#working.has(id)) continue; // it is noted again when that is done
      const work = this.#register(id, this.#leading.signal)
        .catch((error: unknown) => this.#parts.failed(error))
        .finally(() => {
          this.#working.delete(id);
          if (this.#unlike(id) && !this.#later.has(id)) this.#due.add(id);
          this.#ask();
        });
      this.#working.set(id, work);
    }
  }

  /** A change is tried at once, however long the next attempt was put off. */
  #note(id: string): void {
    this.#later.delete(id);
    if (this.#unlike(id)) this.#due.add(id);
    else this.#due.delete(id);
  }

  #unlike(id: string): boolean {
    const authority = this.#parts.mesh.model.get('outside_authority', id);
    return authority !== undefined && !this.#leading.signal.aborted && this.#wanting(authority).length > 0;
  }

  /** Where it has no account, or one that says something else. */
  #wanting({ id, body }: Stored<'outside_authority'>): readonly Where[] {
    return (['staging', 'live'] as const).filter((where) => {
      const directory = directoryAt(body, where);
      if (directory === undefined) return false;
      const account = this.#parts.mesh.model.get('outside_account', accountId(id, where))?.body;
      if (account?.directory !== directory || account.url === null) return true;
      return account.state === 'valid' && account.contacts.join() !== body.contacts.join();
    });
  }

  async #register(id: string, signal: AbortSignal): Promise<void> {
    const authority = this.#parts.mesh.model.get('outside_authority', id);
    if (authority === undefined) return;
    const tries = (this.#later.get(id)?.tries ?? 0) + 1;
    this.#later.delete(id);
    for (const where of this.#wanting(authority)) {
      try {
        await this.#parts.accounts.session(authority, where, signal);
      } catch (error) {
        if (signal.aborted) return;
        reasonOf(error); // which its account has
        const wait_ms = Math.min(AGAIN_MS.most, AGAIN_MS.least * 2 ** (tries - 1));
        this.#later.set(id, { at: this.#parts.mesh.clock.now() + wait_ms, tries });
      }
    }
  }
}
