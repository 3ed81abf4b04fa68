/**
 * What every store has to do, in the words of `src/journal.ts`. `src/sqlite/` and `src/postgres/` each run it over theirs.
 */
import { after, before, describe } from 'node:test';
import { openStore } from '../src/index.ts';
import { closing } from './contract/closing.ts';
import { commits } from './contract/commits.ts';
import { exactText } from './contract/exact-text.ts';
import { leadership } from './contract/leadership.ts';
import { logs } from './contract/logs.ts';
import { longHistory } from './contract/long-history.ts';
import { marks } from './contract/marks.ts';
import { messages } from './contract/messages.ts';
import { news } from './contract/news.ts';
import { observationHistory } from './contract/observation-history.ts';
import { observations } from './contract/observations.ts';
import { pruning } from './contract/pruning.ts';
import type { Open, Place, Subject } from './contract/subject.ts';
import { trimming } from './contract/trimming.ts';

interface Harness {
  setUp(): Promise<void>;
  tearDown(): Promise<void>;
  /** Somewhere that no store has been yet. */
  newPlace(): Promise<Place>;
}

export function journalContract(name: string, harness: Harness): void {
  const open: Open = async (test, place) => {
    const { address, options } = place ?? (await harness.newPlace());
    const journal = await openStore(address, { observing: { flush_after_ms: 0 }, ...options });
    test.after(() => journal.close());
    return journal;
  };
  const subject: Subject = { open, newPlace: () => harness.newPlace() };
  // Side by side, since each has a store of its own and mostly waits for a thread or a server.
  describe(`the journal on ${name}`, { concurrency: 4 }, () => {
    before(() => harness.setUp());
    after(() => harness.tearDown());
    const parts = [commits, exactText, news, logs, trimming, longHistory, marks, leadership, closing];
    const outsideCommits = [messages, observations, observationHistory, pruning];
    for (const part of [...parts, ...outsideCommits]) part(subject);
  });
}
