import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EventRecord, Token } from '@meshwork/contract';
import { openStore } from '@meshwork/store';
import { EventReader, type Frame, type Listening } from '../../../test/event-reader.ts';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVENTS_LOG } from '../../mesh/event-entry.ts';
import { STREAMS_PER_TOKEN } from './feed.ts';

describe('GET /v1/events', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(() => mesh.close());

  const listen = (listening: Partial<Listening> = {}) =>
    EventReader.open(mesh.url, { token: mesh.owner, ...listening });
  const recordOf = (frame: Frame | undefined) => JSON.parse(frame?.data ?? 'null') as EventRecord;
  const revoke = (id: string) => mesh.ask('DELETE', `/v1/auth/tokens/${id}`);

  it('has what happens in the order in which it happened', async () => {
    using reader = await listen();
    assert.match(reader.response.headers['content-type'] ?? '', /^text\/event-stream/);
    assert.equal((await reader.next())?.retry, '2000');
    const made = await mesh.token({ name: 'ci', scope: PLATFORM });
    const { body: successor } = await mesh.ask<Token>('POST', `/v1/auth/tokens/${made.id}/rotate`, { body: {} });
    await revoke(successor.id);
    await mesh.ask('PATCH', '/v1/settings', { body: { audit: { retention_days: 500 } } });
    const frames = await reader.events(5);
    const records = frames.map(recordOf);
    assert.deepEqual(
      records.map(({ type, subject, data }) => [type, subject.id, data]),
      [
        ['token.created', made.id, { name: 'ci', expires: made.expires }],
        ['token.rotated', made.id, { name: 'ci', successor: successor.id }],
        ['token.revoked', successor.id, { name: 'ci' }],
        ['token.revoked', made.id, { name: 'ci' }],
        ['settings.changed', 'mesh', {}],
      ],
    );
    assert.deepEqual(
      frames.map(({ id, event }) => [id, event]),
      records.map(({ seq, type }) => [String(seq), type]),
    );
  });

  it('loses nothing and repeats nothing across breaks, restarts and many writes at once', async () => {
    const reader = await listen({ query: '?type=token.created' });
    const last = (await reader.next())?.id ?? '';
    const writes = Promise.all(Array.from({ length: 200 }, (_, index) => mesh.token({ name: `many ${index}` })));
    const received = await reader.events(30);
    reader[Symbol.dispose]();
    using second = await listen({ query: '?type=token.created', last_event_id: received.at(-1)?.id ?? last });
    received.push(...(await second.events(50)));
    const made = await writes;
    await mesh.down();
    await mesh.up();
    using third = await listen({ query: '?type=token.created', last_event_id: received.at(-1)?.id ?? last });
    received.push(...(await third.events(120)));
    const seqs = received.map(({ id }) => Number(id));
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    );
    assert.deepEqual(received.map((frame) => recordOf(frame).subject.id).sort(), made.map(({ id }) => id).sort());
  });

  it('resumes a stream that broke before its first event from where it began', async () => {
    const reader = await listen();
    const opening = await reader.next();
    reader[Symbol.dispose]();
    const missed = await mesh.token();
    using resumed = await listen({ last_event_id: opening?.id ?? '' });
    const [frame] = await resumed.events(1);
    assert.equal(recordOf(frame).subject.id, missed.id);
  });

  it('has no event that lies outside the scope of the caller', async () => {
    const { secret } = await mesh.token({ scope: PLATFORM, role: 'operator' });
    const reader = await listen({ token: secret });
    await mesh.token({ name: 'outside', scope: { ...PLATFORM, team: 'other' } });
    await mesh.token({ name: 'wider', scope: { ...PLATFORM, team: '*' } });
    await mesh.ask('PATCH', '/v1/settings', { body: { audit: { retention_days: 401 } } });
    const inside = await mesh.token({ name: 'inside', scope: PLATFORM });
    const [frame] = await reader.events(1);
    assert.equal(recordOf(frame).subject.id, inside.id);
    reader[Symbol.dispose]();
  });

  it('can be narrowed by type, and refuses one that it does not know', async () => {
    using reader = await listen({ query: '?type=settings.changed,node.*' });
    await mesh.token();
    await mesh.ask('PATCH', '/v1/settings', { body: { audit: { retention_days: 402 } } });
    const [frame] = await reader.events(1);
    assert.equal(frame?.event, 'settings.changed');
    const got = await mesh.ask('GET', '/v1/events?type=token.create');
    assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, 'query/type']);
    assert.match(got.body.errors?.[0]?.detail ?? '', /token\.created/);
    const torn = await mesh.ask('GET', '/v1/events', { headers: { 'last-event-id': 'torn' } });
    assert.deepEqual([torn.status, torn.body.errors?.[0]?.pointer], [422, 'header/last-event-id']);
  });

  it('resets those whose place is gone, be it trimmed away or never there', async () => {
    await mesh.down();
    const journal = await openStore(`sqlite:${join(mesh.folder, 'mesh.db')}`);
    await journal.trim(EVENTS_LOG, mesh.clock.now() + 60_000);
    const { base_seq } = await journal.ends(EVENTS_LOG);
    await journal.close();
    await mesh.up();
    using trimmed = await listen({ last_event_id: '1' });
    using ahead = await listen({ last_event_id: String(base_seq + 1000) });
    const made = await mesh.token();
    for (const reader of [trimmed, ahead]) {
      const [reset, next] = await reader.events(2);
      assert.deepEqual([reset?.event, reset?.data], ['reset', JSON.stringify({ oldest: base_seq + 1 })]);
      assert.equal(recordOf(next).subject.id, made.id);
    }
  });

  it('ends for a token that was revoked, and for one whose role was weakened', async () => {
    await mesh.ask('POST', '/v1/auth/roles', { body: { name: 'listener', permissions: ['events:read'] } });
    const [gone, weak] = [await mesh.token({ role: 'listener' }), await mesh.token({ role: 'listener' })];
    using first = await listen({ token: gone.secret });
    using second = await listen({ token: weak.secret });
    const ends = [first.rest(), second.rest()];
    await revoke(gone.id);
    await ends[0];
    await mesh.ask('PUT', '/v1/auth/roles/listener', { body: { permissions: [] } });
    const made = await mesh.token();
    const received = (await ends[1])
      ?.filter(({ data }) => data !== undefined)
      .map((frame) => recordOf(frame).subject.id);
    assert.ok(!received?.includes(made.id));
  });

  it('waits for a slow reader without losing anything for it', async () => {
    using slow = await listen();
    slow.response.pause();
    const made = await Promise.all(Array.from({ length: 300 }, () => mesh.token({ name: 'x'.repeat(100) })));
    const received = (await slow.events(300)).map((frame) => recordOf(frame).subject.id);
    assert.deepEqual(received.sort(), made.map(({ id }) => id).sort());
  });

  it('answers HEAD without beginning a stream, and has room for a number of streams of each token', async () => {
    const { secret } = await mesh.token({ role: 'viewer' });
    for (let count = 0; count < 2 * STREAMS_PER_TOKEN; count++) {
      const got = await mesh.ask('HEAD', '/v1/events', { token: secret });
      assert.deepEqual([got.status, got.headers.get('content-type'), got.text], [200, 'text/event-stream', '']);
    }
    const readers = await Promise.all(Array.from({ length: STREAMS_PER_TOKEN }, () => listen({ token: secret })));
    const refused = await mesh.ask('GET', '/v1/events', { token: secret });
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    for (const reader of readers) reader[Symbol.dispose]();
  });

  it('ends with the coordinator, also for a reader that has stopped reading', async () => {
    using reader = await listen();
    using stuck = await listen();
    stuck.response.pause();
    const end = reader.rest();
    await mesh.down();
    await end;
    await mesh.up();
  });
});
