/** A rolling upgrade: a coordinator of a newer version writes to the same store what this version does not know. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AuditEntry, type ChainReport, newId, WHOLE_MESH } from '@meshwork/contract';
import { type Append, type Change, type Journal, openStore } from '@meshwork/store';
import { startPostgresServer } from '@meshwork/store/testing';
import { EventReader } from './event-reader.ts';
import { TestCoordinator } from './harness.ts';

const FUTURE = [
  { kind: 'certificate', id: 'cert-1', body: '{"serial":1}' },
  { kind: 'certificate', id: 'cert-2', body: '{"serial":2}' },
  { kind: '__proto__', id: 'x', body: 'null' },
];

async function write(journal: Journal, changes: readonly Change[], appends: readonly Append[] = []): Promise<void> {
  const { revision } = await journal.since(0);
  await journal.commit(revision, (news) => [{ revision: (news?.revision ?? revision) + 1, changes, appends }]);
}

async function futureKinds(journal: Journal): Promise<readonly string[]> {
  const found: string[] = [];
  await journal.load((documents) => {
    for (const { kind, id, body } of documents) {
      if (FUTURE.some((one) => one.kind === kind)) found.push(`${kind} ${id} ${body}`);
    }
  });
  return found.sort();
}

function futureEntries(): Append[] {
  const at_ms = Date.now();
  const at = new Date(at_ms).toISOString();
  const id = newId('audit', at_ms);
  const subject = { kind: 'certificate', id: 'cert-1' };
  const common = { scope: WHOLE_MESH, at };
  const entry = {
    ...{ ...common, id, action: 'certificates.issue', outcome: 'done', code: null, count: 1, token: null },
    ...{ actor: { kind: 'scheduler', id: null, name: 'rotation' }, target: subject, request_id: null, address: null },
    ...{ detail: null, changes: [], severity: 'low' },
  };
  const event = (type: string) => JSON.stringify({ ...common, type, subject, data: { serial: 1 } });
  const labels = { at_ms, actor: null, action: null, target: null };
  return [
    {
      ...labels,
      log: 'audit',
      id,
      action: entry.action,
      target: subject.id,
      body: JSON.stringify(entry),
      chained: true,
    },
    ...['node.certified', 'certificate.issued'].map((type) => ({
      ...{ ...labels, log: 'events', id: newId('event', at_ms), action: type, body: event(type), chained: false },
    })),
  ];
}

async function ensureWorks(test: TestCoordinator): Promise<void> {
  assert.equal((await test.ask('GET', '/readyz', { token: null })).status, 200);
  await test.token();
}

describe('documents of a kind that only a newer version knows', () => {
  it('on SQLite neither stop a start nor are touched', async () => {
    const test = await TestCoordinator.start();
    try {
      const address = `sqlite:${test.folder}/mesh.db`;
      await test.down();
      const journal = await openStore(address);
      await write(journal, FUTURE, futureEntries());
      const written = await futureKinds(journal);
      await journal.close();
      await test.up();
      await ensureWorks(test);
      const trail = await test.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=certificates.issue');
      assert.deepEqual(
        trail.body.items.map(({ actor }) => actor.name),
        ['rotation'],
      );
      await test.down();
      const again = await openStore(address);
      assert.deepEqual(await futureKinds(again), written);
      await again.close();
    } finally {
      await test.close();
    }
  });

  describe('on PostgreSQL', () => {
    const closing = new AsyncDisposableStack();
    let test: TestCoordinator;
    let newer: Journal;
    let address: string;

    before(async () => {
      const server = await startPostgresServer();
      closing.defer(() => server.close());
      address = await server.newDatabase();
      test = await TestCoordinator.start({ MESH_STORE: address });
      closing.defer(() => test.close());
      newer = await openStore(address);
      closing.defer(() => newer.close());
    });
    after(() => closing.disposeAsync());

    it('neither stop a coordinator that reads them nor its next commit', async () => {
      await write(newer, FUTURE);
      await ensureWorks(test);
      await write(newer, [{ kind: 'certificate', id: 'cert-2', body: null }]);
      await ensureWorks(test);
      assert.equal((await futureKinds(newer)).length, 2);
    });

    it('nor one that starts', async () => {
      await write(newer, [{ kind: 'certificate', id: 'cert-3', body: '{}' }]);
      await test.down();
      await write(newer, FUTURE);
      await test.up();
      await ensureWorks(test);
      assert.ok((await futureKinds(newer)).includes('certificate cert-3 {}'));
    });

    it('with them come events, which are streamed, and audit entries, which are listed and verified', async () => {
      using all = await EventReader.open(test.url, { token: test.owner });
      using some = await EventReader.open(test.url, { token: test.owner, query: '?type=node.*' });
      await write(newer, [], futureEntries());
      const types = (await all.events(2)).map(({ event }) => event);
      assert.deepEqual(types, ['node.certified', 'certificate.issued']);
      assert.deepEqual(
        (await some.events(1)).map(({ event }) => event),
        ['node.certified'],
      );
      await ensureWorks(test);
      const trail = await test.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=certificates.issue');
      assert.deepEqual(
        trail.body.items.map(({ actor, detail }) => [actor.name, detail]),
        [['rotation', null]],
      );
      const { body } = await test.ask<ChainReport>('POST', '/v1/audit/verify', { body: {} });
      assert.deepEqual([body.intact, body.faults], [true, []]);
    });
  });
});
