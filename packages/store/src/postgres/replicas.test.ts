import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compete } from '../../test/contract/leadership.ts';
import { eventually } from '../../test/eventually.ts';
import { Replicas, terminate, waiting } from '../../test/replicas.ts';
import { loaded, node, note, Scribe } from '../../test/scribe.ts';
import type { Journal, News, Revision } from '../index.ts';

/** Adds one to the counter, on top of whatever others have made of it. */
class Counter {
  readonly #journal: Journal;
  #revision: Revision = 0;
  #count = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  async increment(): Promise<void> {
    this.#revision = await this.#journal.commit(this.#revision, (news) => {
      for (const { body } of news?.documents ?? []) this.#count = Number(body);
      this.#count += 1;
      const revision = (news?.revision ?? this.#revision) + 1;
      const appends = [note(`e${revision}`)];
      return [{ revision, changes: [node('counter', String(this.#count))], appends }];
    });
  }
}

describe('coordinators that share a store', () => {
  const replicas = Replicas.described();

  it('hand each other what they committed, at the next commit', async (t) => {
    const place = replicas.newPlace();
    const [a, b] = [await replicas.open(t, place), await replicas.open(t, place)];
    await new Scribe(a).put(node('x', '1'));
    let missed: News | undefined;
    const revision = await b.commit(0, (news) => {
      missed = news;
      return [{ revision: 2, changes: [node('y', '2')], appends: [] }];
    });
    assert.equal(revision, 2);
    const documents = [{ kind: 'node', id: 'x', revision: 1, body: '1' }];
    assert.deepEqual(missed, { revision: 1, whole: false, documents });
    assert.deepEqual([...(await loaded(a)).documents.keys()].sort(), ['x', 'y']);
  });

  it('send each other messages', async (t) => {
    const place = replicas.newPlace();
    const [a, b] = [await replicas.open(t, place), await replicas.open(t, place)];
    const heard: string[] = [];
    const stop = b.receive((message) => heard.push(message));
    await eventually('the other one hears it', async () => {
      await a.send('hello');
      return heard.includes('hello');
    });
    await stop();
  });

  it('commit at the same time without losing an update, and each gets its turn', async (t) => {
    const place = replicas.newPlace();
    const journals = [await replicas.open(t, place), await replicas.open(t, place)];
    const counters = journals.map((journal) => new Counter(journal));
    const run = async (counter: Counter) => {
      for (let made = 0; made < 100; made += 1) await counter.increment();
    };
    await Promise.all(counters.map(run));
    for (const journal of journals) {
      const { revision, documents } = await loaded(journal);
      assert.equal(revision, 200);
      assert.equal(documents.get('counter')?.body, '200');
      assert.equal((await journal.ends('audit')).head_seq, 200);
    }
  });

  it('append to one chain, in any order', async (t) => {
    const place = replicas.newPlace();
    const [a, b] = [new Scribe(await replicas.open(t, place)), new Scribe(await replicas.open(t, place))];
    for (const [index, scribe] of [a, b, b, a, b].entries()) await scribe.note(note(`e${index + 1}`));
    const entries = await a.journal.range({ log: 'audit', order: 'oldest_first', limit: 10 });
    assert.deepEqual(
      entries.map(({ id, seq, revision }) => [id, seq, revision]),
      [1, 2, 3, 4, 5].map((n) => [`e${n}`, n, n]),
    );
    assert.equal((await b.journal.ends('audit')).head_hash, entries.at(-1)?.hash);
    await assert.rejects(b.note(note('e1')), { fault: 'misuse' });
  });

  it('never hide a revision from a follower, however late it commits', async (t) => {
    const place = replicas.newPlace();
    const writers = [new Scribe(await replicas.open(t, place)), new Scribe(await replicas.open(t, place))];
    const follower = await replicas.open(t, place);
    const raw = await replicas.raw(t, place);
    const observer = await replicas.raw(t, place);
    const seen: string[] = [];
    let at = 0;
    const look = async () => {
      const news = await follower.since(at);
      assert.ok(news.revision >= at);
      for (const { id, revision } of news.documents) {
        assert.ok(revision > at, `${id} of revision ${revision} turned up after revision ${at} had been seen`);
        seen.push(id);
      }
      at = news.revision;
    };
    await raw.query('BEGIN; SELECT revision FROM head FOR UPDATE');
    const committing = writers.map(async (scribe, index) => {
      for (let made = 0; made < 20; made += 1) await scribe.put(node(`w${index}-${made}`));
    });
    await eventually('both writers wait', async () => {
      await look();
      return (await waiting(observer, 'write')) === 2;
    });
    assert.equal(at, 0);
    await raw.query('COMMIT');
    await eventually('the follower is there', async () => {
      await look();
      return at === 40;
    });
    await Promise.all(committing);
    const all = [0, 1].flatMap((index) => Array.from({ length: 20 }, (_, made) => `w${index}-${made}`));
    assert.deepEqual(seen.toSorted(), all.toSorted());
  });

  it('share signs of life without missing one', async (t) => {
    const place = replicas.newPlace();
    const [a, b] = [await replicas.open(t, place), await replicas.open(t, place)];
    const seen = new Set<string>();
    let stamp = 0;
    const look = async () => {
      const answer = await a.marks(stamp);
      for (const { key } of answer.marks) seen.add(key);
      stamp = answer.stamp;
    };
    const marking = [a, b].map(async (journal, index) => {
      for (let made = 0; made < 40; made += 1) {
        await journal.mark([
          { key: `${index}-${made}`, at_ms: made, count: 0, body: null },
          { key: 'common', at_ms: made, count: 0, body: null },
        ]);
      }
    });
    await eventually('every mark was read', async () => {
      await look();
      return seen.size === 81;
    });
    await Promise.all(marking);
  });

  it('wake each other by notification, and again after the listening connection broke', async (t) => {
    const place = replicas.newPlace();
    const journal = await replicas.open(t, place);
    const raw = await replicas.raw(t, place);
    let wakes = 0;
    const stop = journal.follow(() => {
      wakes += 1;
    });
    t.after(stop);
    // Polling every half second alone would take 50 seconds for so many wakes, longer than this test waits.
    const notifyMany = async () => {
      const before = wakes;
      for (let sent = 0; sent < 100; sent += 1) await raw.query(`NOTIFY meshwork_${place.schema}, '${sent}'`);
      return wakes - before;
    };
    await eventually('the follower gets notifications', async () => (await notifyMany()) >= 80);
    assert.equal(await terminate(raw, 'listen'), 1);
    await eventually('the follower gets notifications again', async () => (await notifyMany()) >= 80);
  });

  it('wake without any notification, too', async (t) => {
    const place = replicas.newPlace();
    const journal = await replicas.open(t, place);
    const raw = await replicas.raw(t, place);
    let found: News | undefined;
    const stop = journal.follow(async () => {
      found = await journal.since(0);
    });
    t.after(stop);
    await eventually('the follower has looked', () => found !== undefined);
    await raw.query("INSERT INTO documents VALUES ('node', 'quiet', 1, '{}'); UPDATE head SET revision = 1");
    await eventually('the follower found it', () => found?.revision === 1);
  });

  it('pass leadership on when the connection of the leader breaks', async (t) => {
    const place = replicas.newPlace();
    const [a, b] = [await replicas.open(t, place), await replicas.open(t, place)];
    const raw = await replicas.raw(t, place);
    const first = compete(a, 'timers');
    await eventually('the first leads', () => first.leading);
    const second = compete(b, 'timers');
    await raw.query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted");
    await eventually('the second leads', () => second.leading);
    assert.equal(first.leading, false);
    assert.deepEqual(first.calls, ['gained', 'lost']);
    assert.deepEqual(second.calls, ['gained']);
    await second.release();
    await eventually('the first leads again', () => first.leading);
  });

  it('load the state of one moment, even when another commits in the middle of it', async (t) => {
    const place = replicas.newPlace();
    const journal = await replicas.open(t, place);
    const [raw, observer] = [await replicas.raw(t, place), await replicas.raw(t, place)];
    await new Scribe(journal).put(node('a', '1'));
    await raw.query('BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
    const loading = loaded(journal);
    await eventually('the load waits for the documents', async () => (await waiting(observer, 'read')) === 1);
    await raw.query("UPDATE documents SET body = '2', revision = 2; UPDATE head SET revision = 2; COMMIT");
    const { revision, documents } = await loading;
    assert.deepEqual([revision, documents.get('a')?.body], [1, '1']);
  });

  it('may trim the same log at the same time', async (t) => {
    const place = replicas.newPlace();
    const journal = await replicas.open(t, place);
    const [raw, observer] = [await replicas.raw(t, place), await replicas.raw(t, place)];
    const scribe = new Scribe(journal);
    await scribe.note(...Array.from({ length: 5_000 }, (_, index) => note(`e${index + 1}`, { at_ms: index + 1 })));
    // Another one that is further on, and not done yet.
    await raw.query("BEGIN; DELETE FROM entries WHERE seq <= 3000; UPDATE logs SET base_seq = 3000, base_hash = 'x'");
    const trimming = journal.trim('audit', 4_001);
    await eventually('the second waits for the first', async () => (await waiting(observer, 'read')) === 1);
    await raw.query('COMMIT');
    assert.equal(await trimming, 0);
    const { base_seq, base_hash } = await journal.ends('audit');
    assert.deepEqual([base_seq, base_hash], [3_000, 'x']);
    assert.equal(await journal.trim('audit', 4_001), 1_000);
    const ends = await journal.ends('audit');
    assert.deepEqual([ends.base_seq, ends.head_seq], [4_000, 5_000]);
  });

  it('commit while a log is being trimmed', async (t) => {
    const place = replicas.newPlace();
    const [a, b] = [await replicas.open(t, place), await replicas.open(t, place)];
    const scribe = new Scribe(a);
    await scribe.note(...Array.from({ length: 5_000 }, (_, index) => note(`e${index + 1}`, { at_ms: index + 1 })));
    const trimming = b.trim('audit', 4_001);
    for (let made = 1; made <= 20; made += 1) await scribe.note(note(`meanwhile-${made}`, { at_ms: 9_000 }));
    assert.equal(await trimming, 4_000);
    const ends = await a.ends('audit');
    assert.deepEqual([ends.base_seq, ends.head_seq], [4_000, 5_020]);
    assert.equal((await a.range({ log: 'audit', order: 'oldest_first', limit: 10_000 })).length, 1_020);
  });
});
