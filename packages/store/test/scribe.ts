import type { Append, Change, Document, Journal, News, Revision } from '../src/index.ts';

export interface Written {
  readonly changes?: readonly Change[];
  readonly appends?: readonly Append[];
}

/** Commits to a journal and remembers its revision, like a coordinator without a model. */
export class Scribe {
  readonly journal: Journal;
  revision: Revision = 0;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** Commits in one batch, whatever others have committed meanwhile. */
  async commit(...commits: readonly Written[]): Promise<Revision> {
    const from = this.revision;
    this.revision = await this.journal.commit(from, (news) =>
      commits.map(({ changes = [], appends = [] }, index) => {
        return { revision: (news?.revision ?? from) + index + 1, changes, appends };
      }),
    );
    return this.revision;
  }

  put(...changes: readonly Change[]): Promise<Revision> {
    return this.commit({ changes });
  }

  note(...appends: readonly Append[]): Promise<Revision> {
    return this.commit({ appends });
  }
}

export function node(id: string, body: string | null = '{}'): Change {
  return { kind: 'node', id, body };
}

/** An entry of the audit log, where nothing else is said. */
export function note(id: string, rest: Partial<Append> = {}): Append {
  const labels = { actor: null, action: null, target: null };
  return { log: 'audit', id, at_ms: 0, ...labels, body: `{"entry":"${id}"}`, chained: true, ...rest };
}

/** Everything the store holds, by id. */
export async function loaded(journal: Journal): Promise<{ revision: Revision; documents: Map<string, Document> }> {
  const documents = new Map<string, Document>();
  const revision = await journal.load((chunk) => {
    for (const document of chunk) documents.set(document.id, document);
  });
  return { revision, documents };
}

export function idsOf(things: readonly { readonly id: string }[]): string[] {
  return things.map(({ id }) => id);
}

/** What a reader that follows the news ends up holding. */
export function apply(held: Map<string, string>, news: News): void {
  if (news.whole) held.clear();
  for (const { id, body } of news.documents) {
    if (body === null) held.delete(id);
    else held.set(id, body);
  }
}
