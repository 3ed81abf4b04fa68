import type { Append, Change, Commit, News, Revision } from './journal.ts';
import { requireLabel, requireName, requireText, requireWhole } from './storable.ts';
import { StoreError } from './store-error.ts';

export type NumberedAppend = Append & { readonly revision: Revision };

/** What one call of `commit` writes in one durable step. */
export interface Batch {
  readonly after: Revision;
  readonly revision: Revision;
  /** One version of each changed document, its last: the ones between are never read by anyone. */
  readonly documents: News['documents'];
  readonly appends: readonly NumberedAppend[];
}

/**
 * Throws `misuse` when a store would refuse the content of the commit. Check each commit before it joins a batch: one that is
 * refused fails the others too.
 */
export function requireStorable(commit: Commit): void {
  for (const change of commit.changes) requireChange(change);
  for (const append of commit.appends) requireAppend(append);
}

/** Checks composed commits against the interface's rules, before anything is written. */
export function toBatch(after: Revision, commits: readonly Commit[]): Batch {
  // Keyed by kind and id with a NUL between, which neither may contain.
  const documents = new Map<string, News['documents'][number]>();
  const appends: NumberedAppend[] = [];
  let revision = after;
  for (const commit of commits) {
    revision += 1;
    if (commit.revision !== revision) {
      throw new StoreError('misuse', `the commit after revision ${revision - 1} calls itself ${commit.revision}`);
    }
    for (const change of commit.changes) {
      requireChange(change);
      const { kind, id, body } = change;
      documents.set(`${kind}\0${id}`, { kind, id, revision, body });
    }
    for (const append of commit.appends) {
      requireAppend(append);
      appends.push({ ...append, revision });
    }
  }
  return { after, revision, documents: [...documents.values()], appends };
}

function requireChange(change: Change): void {
  requireName('a kind', change.kind);
  requireName('a document id', change.id);
  if (change.body !== null) requireText(`the body of ${change.kind} ${change.id}`, change.body);
}

function requireAppend(append: Append): void {
  requireName('a log name', append.log);
  requireName('an entry id', append.id);
  requireWhole(`the time of entry ${append.id}`, append.at_ms);
  requireLabel('an actor', append.actor);
  requireLabel('an action', append.action);
  requireLabel('a target', append.target);
  requireText(`the body of entry ${append.id}`, append.body);
}
