import type pg from 'pg';
import type { Revision } from '../journal.ts';
import type { LogHead } from '../link-entries.ts';
import { ask } from './ask.ts';

/** The heads of the logs, cached until another process commits. Saves a round trip in most commits. */
export class LogHeads {
  readonly #heads = new Map<string, LogHead>();
  #at: Revision | undefined;

  /** `at` is the newest revision, held in place by the right to write. */
  async read(client: pg.ClientBase, logs: ReadonlySet<string>, at: Revision): Promise<ReadonlyMap<string, LogHead>> {
    if (this.#at !== at) this.forget();
    this.#at = at;
    const unknown = [...logs].filter((log) => !this.#heads.has(log));
    if (unknown.length > 0) {
      const rows = await ask<LogHead & { name: string }>(client, {
        name: 'log-heads',
        text: 'SELECT name, chained, head_seq AS seq, head_hash AS hash FROM logs WHERE name = ANY ($1)',
        values: [unknown],
      });
      for (const { name, ...head } of rows) this.#heads.set(name, head);
    }
    return this.#heads;
  }

  /** A commit of ours took effect. */
  moved(to: Revision, heads: ReadonlyMap<string, LogHead>): void {
    this.#at = to;
    for (const [log, head] of heads) this.#heads.set(log, head);
  }

  forget(): void {
    this.#at = undefined;
    this.#heads.clear();
  }
}
