import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MeshError } from '@meshwork/contract';
import { type Journal, openStore, StoreError } from '@meshwork/store';
import { systemClock } from '@meshwork/time';
import { COORDINATOR } from './actor.ts';
import { AUDIT_LOG } from './audit-entry.ts';
import { Mesh } from './mesh.ts';
import type { Transaction } from './transaction.ts';

const cause = { actor: COORDINATOR, action: 'test.change' };
const role = (description: string) => ({ description, permissions: [] });

describe('the mesh', () => {
  let folder: string;
  let mesh: Mesh;
  const commits: number[] = [];
  const failures: unknown[] = [];

  const open = async (wrap: (journal: Journal) => Journal = (journal) => journal) => {
    const journal = wrap(await openStore(`sqlite:${join(folder, 'mesh.db')}`));
    const watch = {
      committed: (count: number) => commits.push(count),
      failed: (error: unknown) => failures.push(error),
    };
    mesh = await Mesh.open({ journal, clock: systemClock, master: createSecretKey(randomBytes(32)), watch });
  };
  const put = (name: string, description = 'x') =>
    mesh.transact(cause, (tx) => {
      tx.put('role', name, role(description));
      tx.record({ target: { kind: 'role', id: name } });
      return tx.revision;
    });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-'));
    commits.length = 0;
    failures.length = 0;
    await open();
  });
  afterEach(async () => {
    await mesh.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has a change in memory, in the store and in the trail once it is answered', async () => {
    const revision = await put('ops');
    assert.equal(revision, 1);
    assert.deepEqual(mesh.model.get('role', 'ops'), { id: 'ops', revision: 1, body: role('x') });
    await mesh.close();
    await open();
    assert.deepEqual(mesh.model.get('role', 'ops'), { id: 'ops', revision: 1, body: role('x') });
    const [entry] = await mesh.journal.range({ log: AUDIT_LOG, order: 'oldest_first', limit: 10 });
    assert.equal(entry?.revision, 1);
    assert.equal(entry?.action, 'test.change');
  });

  it('lets waiting changes share a commit, each with a revision of its own and seeing those before it', async () => {
    const count = (tx: Transaction) => {
      const before = Number(tx.get('role', 'counter')?.body.description ?? 0);
      tx.put('role', 'counter', role(String(before + 1)));
      tx.record({ target: null });
      return tx.revision;
    };
    const revisions = await Promise.all(Array.from({ length: 100 }, () => mesh.transact(cause, count)));
    assert.deepEqual(
      revisions,
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    assert.equal(mesh.model.get('role', 'counter')?.body.description, '100');
    assert.ok(commits.length < 10, `100 changes took ${commits.length} commits`);
    assert.equal(
      commits.reduce((sum, size) => sum + size),
      100,
    );
  });

  it('fails only the change that throws, and writes nothing of it', async () => {
    const broken = mesh.transact(cause, (tx) => {
      tx.put('role', 'half', role('x'));
      tx.record({ target: null });
      throw new MeshError('invalid', 'no');
    });
    const [first, failed, last] = await Promise.allSettled([put('one'), broken, put('two')]);
    assert.equal(first?.status, 'fulfilled');
    assert.equal(failed?.status, 'rejected');
    assert.equal(last?.status, 'fulfilled');
    assert.equal(mesh.model.get('role', 'half'), undefined);
    assert.equal(mesh.model.revision, 2);
  });

  it('fails only the change that no store would take, not those that share its commit', async () => {
    const broken = mesh.transact(cause, (tx) => {
      tx.put('role', 'a\0b', role('x'));
      tx.record({ target: null });
    });
    const mislabelled = mesh.transact(cause, (tx) => tx.record({ target: { kind: 'role', id: 'x'.repeat(10_000) } }));
    const [first, ...rest] = await Promise.allSettled([put('one'), broken, mislabelled, put('two')]);
    assert.deepEqual(
      [first, ...rest].map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.equal(mesh.model.revision, 2);
  });

  it('refuses a change that does not say what it does', async () => {
    const silent = mesh.transact(cause, (tx) => tx.put('role', 'silent', role('x')));
    await assert.rejects(silent, /without saying what it does/);
    assert.equal(mesh.model.revision, 0);
  });

  it('sees its own changes while it runs, which no other reader sees before they are committed', async () => {
    const seen: unknown[] = [];
    const change = mesh.transact(cause, (tx) => {
      tx.create('role', 'new', role('x'));
      tx.put('role', 'new', role('y'));
      seen.push(tx.get('role', 'new')?.body.description, [...tx.all('role')].length);
      seen.push(mesh.model.get('role', 'new'));
      tx.delete('role', 'new');
      seen.push(tx.get('role', 'new'), [...tx.all('role')].length);
      tx.record({ target: null });
    });
    await change;
    assert.deepEqual(seen, ['y', 1, undefined, undefined, 0]);
    assert.equal(mesh.model.get('role', 'new'), undefined);
  });

  it('creates a name once when two want it at the same time', async () => {
    const create = () =>
      mesh.transact(cause, (tx) => {
        tx.create('role', 'ops', role('x'));
        tx.record({ target: null });
      });
    const results = await Promise.allSettled([create(), create()]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('turns changes away with `busy` when too many are waiting, and answers all that it took', async () => {
    const all = await Promise.allSettled(Array.from({ length: 5000 }, (_, index) => put(`r${index % 10}`)));
    const turnedAway = all.filter(({ status }) => status === 'rejected');
    assert.equal(turnedAway.length, 5000 - 4096);
    assert.ok(turnedAway.every((one) => one.status === 'rejected' && one.reason.code === 'busy'));
    assert.equal(mesh.model.revision, 4096);
  });

  it('answers everything it took before it closes, and takes nothing after', async () => {
    const taken = Promise.all([put('one'), put('two')]);
    await mesh.close();
    assert.deepEqual(await taken, [1, 2]);
    await assert.rejects(put('late'), { code: 'shutting_down' });
    await open();
    assert.equal(mesh.model.count('role'), 2);
  });

  it('leaves the model as it was when the store fails, says so to every caller, and goes on afterwards', async () => {
    await mesh.close();
    let isBroken = false;
    await open((journal) => {
      const commit = journal.commit.bind(journal);
      journal.commit = (after, compose) =>
        commit(after, (news) => {
          const commits = compose(news);
          if (isBroken) throw new StoreError('full', 'no space is left');
          return commits;
        });
      return journal;
    });
    await put('before');
    isBroken = true;
    const results = await Promise.allSettled([put('one'), put('two')]);
    for (const result of results) {
      assert.equal(result.status === 'rejected' && result.reason.code, 'store_unavailable');
    }
    assert.equal(mesh.model.revision, 1);
    assert.equal(mesh.model.get('role', 'one'), undefined);
    assert.equal(failures.length, 1);
    isBroken = false;
    assert.equal(await put('after'), 2);
  });

  it('answers every caller of a commit at which a watcher throws, and begins no other', async () => {
    mesh.model.watch({
      changed: ({ id }) => {
        if (id === 'two') throw new Error('a bug');
      },
    });
    const failed = new Promise((resolve) => mesh.model.onFailure(resolve));
    assert.deepEqual(await Promise.all([put('one'), put('two'), put('three')]), [1, 2, 3]);
    assert.equal(((await failed) as Error).message, 'a bug');
    assert.equal(mesh.model.count('role'), 3);
    assert.equal(mesh.upToDate, false);
    await assert.rejects(put('four'), { code: 'shutting_down' });
    assert.throws(() => mesh.ensureUpToDate(), { code: 'shutting_down' });
    assert.deepEqual(failures, [], 'the store did nothing wrong');
  });

  it('runs a repeated request once, answers it alike, and refuses the key for another request', async () => {
    let runs = 0;
    const create = (request: string, actor_id = 'token_1') =>
      mesh.transact(
        cause,
        (tx) => {
          runs++;
          tx.put('role', 'r', role(String(runs)));
          tx.record({ target: null });
          return { secret: `secret-number-${runs}` };
        },
        { actor_id, key: 'key-1', request, ensureMayHear: () => undefined },
      );
    const [first, second] = await Promise.all([create('a'), create('a')]);
    assert.deepEqual(first, { secret: 'secret-number-1' });
    assert.deepEqual(second, { secret: 'secret-number-1' });
    assert.equal(runs, 1);
    await assert.rejects(create('b'), { code: 'idempotency_key_reused' });
    assert.deepEqual(await create('a', 'token_2'), { secret: 'secret-number-2' }, 'another caller has keys of its own');
    for (const { body } of mesh.model.all('answer')) assert.ok(!JSON.stringify(body).includes('secret-number-1'));
  });
});
