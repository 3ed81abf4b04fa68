import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type EventRecord, MeshError, type Scope, WHOLE_MESH } from '@meshwork/contract';
import { openStore } from '@meshwork/store';
import { PLATFORM, TestClock } from '../../../test/harness.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import { EVENTS_LOG } from '../../mesh/event-entry.ts';
import { Mesh } from '../../mesh/mesh.ts';
import type { Call, Stream } from '../handler.ts';
import { EventFeed, type Pace, STREAMS_PER_TOKEN } from './feed.ts';
import { followEvents } from './follow-events.ts';

/** Nothing happens by itself while a test looks. */
const STILL: Pace = { check_ms: 3_600_000, silence_ms: 7_200_000, cut_after_ms: 10 };

interface Caller {
  readonly scope?: Scope;
  readonly type?: string;
  readonly after?: number;
  readonly last_event_id?: string;
  readonly whenGone?: (gone: () => void) => void;
  readonly ensureStillAllowed?: () => void;
}

describe('a stream of events', () => {
  let folder: string;
  let mesh: Mesh;
  let feed: EventFeed;
  let ranges: number;
  const clock = new TestClock();
  const failed = (error: unknown) => assert.fail(String(error));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-'));
    const watch = { committed: () => undefined, failed };
    const journal = await openStore(`sqlite:${join(folder, 'mesh.db')}`);
    ranges = 0;
    const range = journal.range.bind(journal);
    journal.range = (query) => {
      ranges += 1;
      return range(query);
    };
    mesh = await Mesh.open({ journal, clock, master: createSecretKey(randomBytes(32)), watch });
    feed = new EventFeed(mesh, failed, STILL);
  });
  afterEach(async () => {
    feed.close();
    await mesh.close();
    await rm(folder, { recursive: true, force: true });
  });

  const tell = (id: string, scope: Scope = WHOLE_MESH, type: 'node.removed' | 'node.settled' = 'node.removed') =>
    mesh.transact({ actor: COORDINATOR, action: 'test.tell' }, (tx) => {
      tx.emit({ type, subject: { kind: 'node', id }, scope, data: { name: id } });
    });
  const tellMany = async (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `n${index + 1}`);
    while (ids.length > 0) await Promise.all(ids.splice(0, 1000).map((id) => tell(id)));
  };

  function follow(caller: Caller = {}, from: EventFeed = feed): Stream {
    const { type, after, scope = WHOLE_MESH } = caller;
    const call = {
      actor: { id: 'token_1', scope },
      query: { ...(type === undefined ? {} : { type }), ...(after === undefined ? {} : { after }) },
      last_event_id: caller.last_event_id,
      whenGone: caller.whenGone ?? (() => undefined),
      ensureStillAllowed: caller.ensureStillAllowed ?? (() => undefined),
    };
    // Only what a stream asks of a call: the edge is tested with a real one.
    return followEvents(mesh, from, call as unknown as Call<'events.stream'>);
  }

  /** Begins to listen: the stream has said where it starts. */
  async function listen(caller: Caller = {}, from: EventFeed = feed): Promise<AsyncIterator<string>> {
    const lines = follow(caller, from).lines[Symbol.asyncIterator]();
    assert.match((await lines.next()).value ?? '', /^retry: 2000\nid: \d+\n\n$/);
    return lines;
  }

  async function take(lines: AsyncIterator<string>, count: number): Promise<string[]> {
    const frames: string[] = [];
    for (let left = count; left > 0; left--) frames.push((await lines.next()).value ?? 'over');
    return frames;
  }
  const subjects = (frames: readonly string[]) =>
    frames.map((frame) => (JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '{}') as EventRecord).subject.id);

  it('starts now, and has an event as the contract says, with nothing of its scope', async () => {
    await tell('before');
    const lines = await listen();
    await tell('after', PLATFORM);
    const [frame = ''] = await take(lines, 1);
    const [id, event, data] = frame.split('\n');
    assert.deepEqual([id, event, frame.slice(-2)], ['id: 2', 'event: node.removed', '\n\n']);
    const { at, ...record } = JSON.parse(data?.slice('data: '.length) ?? '');
    assert.match(at, /^\d{4}-.*\.\d{3}Z$/);
    assert.deepEqual(record, {
      seq: 2,
      type: 'node.removed',
      subject: { kind: 'node', id: 'after' },
      revision: 2,
      data: { name: 'after' },
    });
  });

  it('goes on after a place, however many events lie behind it', async () => {
    await tellMany(1500);
    const lines = await listen({ after: 3 });
    const received = subjects(await take(lines, 1497));
    assert.equal(new Set(received).size, 1497);
    await tell('last');
    assert.deepEqual(subjects(await take(lines, 1)), ['last']);
    const resumed = await listen({ after: 3, last_event_id: '1499' });
    assert.equal(subjects(await take(resumed, 2)).at(-1), 'last');
  });

  it('has what lies inside the scope and is of a wanted type, and nothing else', async () => {
    const narrow = await listen({ scope: PLATFORM });
    const typed = await listen({ type: 'node.settled,relay.*' });
    await tell('elsewhere', { ...PLATFORM, team: 'other' }, 'node.settled');
    await tell('wide');
    await tell('inside', PLATFORM);
    assert.deepEqual(subjects(await take(narrow, 1)), ['inside']);
    assert.deepEqual(subjects(await take(typed, 1)), ['elsewhere']);
  });

  it('is refused for a type that does not exist, and names the nearest', () => {
    assert.throws(() => follow({ type: 'node.joind' }), { code: 'invalid', message: /^query\/type .*node\.joined/ });
    assert.throws(() => follow({ type: 'nodes.*' }), { message: /node\.\*/ });
    assert.throws(() => follow({ type: 'node.joined,' }), { code: 'invalid' });
    assert.throws(() => follow({ last_event_id: 'x' }), { message: /^header\/last-event-id/ });
  });

  it('is reset when what was missed is gone, and goes on from the oldest that is left', async () => {
    await tellMany(5);
    clock.advance(3600);
    await tell('kept');
    await mesh.journal.trim(EVENTS_LOG, clock.now() - 1800_000);
    const lines = await listen({ last_event_id: '2' });
    const [reset = '', next = ''] = await take(lines, 2);
    assert.equal(reset, 'id: 5\nevent: reset\ndata: {"oldest":6}\n\n');
    assert.deepEqual(subjects([next]), ['kept']);
  });

  it('is reset when it was ahead of everything there is', async () => {
    await tell('first');
    const lines = await listen({ last_event_id: '99' });
    const [reset = '', next = ''] = await take(lines, 2);
    assert.equal(reset, 'id: 0\nevent: reset\ndata: {"oldest":1}\n\n');
    assert.deepEqual(subjects([next]), ['first']);
  });

  it('reads the journal once for each batch, however many streams there are, and not at all without streams', async () => {
    const streams = await Promise.all(Array.from({ length: STREAMS_PER_TOKEN }, () => listen()));
    await setImmediate();
    await tell('warm');
    for (const lines of streams) await take(lines, 1);
    ranges = 0;
    await tellMany(100);
    for (const lines of streams) assert.equal((await take(lines, 100)).length, 100);
    assert.ok(ranges <= 3, `${ranges} looks`);
    for (const lines of streams) await lines.return?.();
    ranges = 0;
    await tell('unread');
    await setImmediate();
    assert.deepEqual([ranges, feed.streams], [0, 0]);
  });

  it('has its own pace: a slow reader misses nothing, and nothing is buffered for it', async () => {
    const slow = await listen();
    const quick = await listen();
    await tellMany(6000);
    assert.equal(new Set(subjects(await take(quick, 6000))).size, 6000);
    const seqs = (await take(slow, 6000)).map((frame) => Number(/^id: (\d+)/.exec(frame)?.[1]));
    assert.deepEqual(
      seqs,
      Array.from({ length: 6000 }, (_, index) => index + 1),
    );
  });

  it('ends once its token may no longer listen, before anything that came after', async () => {
    let allowed = true;
    const ensureStillAllowed = () => {
      if (!allowed) throw new MeshError('token_revoked', 'The token was revoked.');
    };
    const lines = await listen({ ensureStillAllowed });
    const next = lines.next();
    allowed = false;
    await tell('secret');
    assert.deepEqual(await next, { value: undefined, done: true });
    assert.equal(feed.streams, 0);
  });

  it('is cut when it has to end and its client does not read', async () => {
    let allowed = true;
    const ensureStillAllowed = () => {
      if (!allowed) throw new MeshError('token_revoked', 'The token was revoked.');
    };
    const stuck = follow({ ensureStillAllowed });
    await stuck.lines[Symbol.asyncIterator]().next();
    allowed = false;
    await tell('unread');
    await new Promise((resolve) => stuck.cut?.addEventListener('abort', resolve));
  });

  it('ends when the caller hangs up and when the coordinator goes down, and then no new one begins', async () => {
    let hangUp = () => {};
    const whenGone = (gone: () => void) => {
      hangUp = gone;
    };
    const [left, open] = [await listen({ whenGone }), await listen()];
    const ends = [left.next(), open.next()];
    hangUp();
    assert.deepEqual(await ends[0], { value: undefined, done: true });
    assert.equal(feed.streams, 1);
    feed.close();
    assert.deepEqual(await ends[1], { value: undefined, done: true });
    assert.throws(() => follow(), { code: 'shutting_down' });
  });

  it('is one of a bounded number for each token, and counts only once it has begun', async () => {
    for (let count = 0; count < 2 * STREAMS_PER_TOKEN; count++) follow();
    for (let count = 0; count < STREAMS_PER_TOKEN; count++) await listen();
    assert.throws(() => follow(), { code: 'rate_limited' });
  });

  it('says that it is still there, and how far it has come to who may know', async () => {
    const lively = new EventFeed(mesh, failed, { check_ms: 5, silence_ms: 10, cut_after_ms: 10 });
    const wide = await listen({ type: 'node.settled' }, lively);
    const narrow = await listen({ scope: PLATFORM }, lively);
    await tell('unread');
    for (let frame = ''; frame !== ': still here\nid: 1\n\n'; ) [frame = ''] = await take(wide, 1);
    assert.deepEqual(await take(narrow, 2), [': still here\n\n', ': still here\n\n']);
    lively.close();
  });
});
