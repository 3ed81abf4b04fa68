import { DatabaseSync } from 'node:sqlite';
import type { Entry, LogEnds, LogQuery, Mark, News, Revision } from '../journal.ts';
import { EMPTY_LOG } from '../link-entries.ts';
import { entrySql, rangeSql, type Window, windowSql } from '../log-query.ts';
import { type DocumentRow, type DocumentRows, takeRows } from './document-rows.ts';
import { Statements } from './statements.ts';
import { type StampedMark, storedMarks } from './stored-marks.ts';

export type NewsRows = Omit<News, 'documents'> & { readonly rows: DocumentRows };

/** One `load` under way, on a connection of its own: what it sees stands still while others read on. */
interface Load {
  readonly db: DatabaseSync;
  readonly rows: Iterator<DocumentRow>;
}

/** Everything that only looks. */
export class Reader {
  readonly #file: string;
  readonly #loads = new Map<number, Load>();
  #lastLoad = 0;
  #db: DatabaseSync | undefined;
  #statements: Statements | undefined;

  /** Opens the file when first asked something: the writer, which starts beside it, may have to create it. */
  constructor(file: string) {
    this.#file = file;
  }

  get #sql(): Statements {
    if (this.#statements === undefined) {
      this.#db = openToRead(this.#file);
      this.#statements = new Statements(this.#db);
    }
    return this.#statements;
  }

  head(): Revision {
    return this.#sql.only<{ revision: Revision }>('SELECT revision FROM head').revision;
  }

  since(after: Revision): NewsRows {
    return this.#standStill(() => {
      const { revision, horizon } = this.#sql.only<{ revision: Revision; horizon: Revision }>(
        'SELECT revision, horizon FROM head',
      );
      const whole = after < horizon || after > revision;
      const which = whole ? 'body IS NOT NULL AND revision > ?' : 'revision > ?';
      const changed = `SELECT kind, id, revision, body FROM documents WHERE ${which} ORDER BY revision`;
      const rows = takeRows(this.#sql.each<DocumentRow>(changed, whole ? 0 : after), Number.POSITIVE_INFINITY);
      return { revision, rows, whole };
    });
  }

  startLoad(): { readonly load: number; readonly revision: Revision } {
    const db = openToRead(this.#file);
    const sql = new Statements(db);
    db.exec('BEGIN');
    const { revision } = sql.only<{ revision: Revision }>('SELECT revision FROM head');
    const rows = sql.each<DocumentRow>('SELECT kind, id, revision, body FROM documents WHERE body IS NOT NULL');
    this.#lastLoad += 1;
    this.#loads.set(this.#lastLoad, { db, rows });
    return { load: this.#lastLoad, revision };
  }

  /** The next documents of a load; none: that was all. */
  continueLoad(load: number, limit: number): DocumentRows {
    return takeRows(this.#load(load).rows, limit);
  }

  endLoad(load: number): void {
    this.#load(load).db.close();
    this.#loads.delete(load);
  }

  range(query: LogQuery): readonly Entry[] {
    return this.#standStill(() => {
      const asked = windowSql(query, '?');
      const window = asked && this.#sql.only<Window>(asked.text, ...asked.values);
      const { text, values } = rangeSql(query, window, '?');
      return this.#sql.all<Entry>(text, ...values);
    });
  }

  entry(log: string, id: string): Entry | undefined {
    return this.#sql.first<Entry>(entrySql('?'), log, id);
  }

  ends(log: string): LogEnds {
    const ends = 'SELECT base_seq, base_hash, head_seq, head_hash FROM logs WHERE name = ?';
    return this.#sql.first<LogEnds>(ends, log) ?? EMPTY_LOG;
  }

  marks(since: number): { readonly stamp: number; readonly marks: readonly Mark[] } {
    return this.#standStill(() => {
      const { stamp } = this.#sql.only<{ stamp: number }>('SELECT mark_stamp AS stamp FROM head');
      const later = storedMarks(this.#sql)
        .values()
        .filter((mark) => mark.stamp > since);
      return { stamp, marks: Array.from(later, unstamped) };
    });
  }

  close(): void {
    for (const load of this.#loads.keys()) this.endLoad(load);
    this.#db?.close();
  }

  #load(load: number): Load {
    const found = this.#loads.get(load);
    if (found === undefined) throw new Error(`there is no load ${load}`);
    return found;
  }

  /** Several queries, answered from the same commit. */
  #standStill<T>(look: () => T): T {
    this.#sql.run('BEGIN');
    try {
      return look();
    } finally {
      // An error of the disk may have ended it already.
      if (this.#db?.isTransaction) this.#sql.run('COMMIT');
    }
  }
}

/** In write-ahead mode a reader sees the last commit before it began, and neither waits for the writer nor stops it. */
function openToRead(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: 5_000, readOnly: true });
}

function unstamped({ key, at_ms, count, body }: StampedMark): Mark {
  return { key, at_ms, count, body };
}
