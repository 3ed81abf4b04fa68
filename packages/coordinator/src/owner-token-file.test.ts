/** What becomes of the owner token when its making is cut short, or when two coordinators make one at once. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Journal, openStore, StoreError } from '@meshwork/store';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { TestClock } from '../test/harness.ts';
import { ensureOwner, masterKeysOf } from './installation.ts';
import { loadModel, Mesh } from './mesh/mesh.ts';

interface Start {
  readonly store?: string;
  readonly key_file?: string;
  /** Changes how the store behaves. */
  readonly wrap?: (journal: Journal) => void;
}

describe('the file of the owner token', () => {
  let folder: string;
  let clock: TestClock;
  const open: Mesh[] = [];
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-owner-'));
    clock = new TestClock();
  });
  afterEach(async () => {
    await closeAll();
    await rm(folder, { recursive: true });
  });

  const closeAll = async () => {
    for (const mesh of open.splice(0)) await mesh.close();
  };

  /** A coordinator's start, up to where it makes sure of an owner. */
  async function started({ store = `sqlite:${at('mesh.db')}`, key_file = at('master-key'), wrap }: Start = {}) {
    const journal = await openStore(store);
    wrap?.(journal);
    const model = await loadModel(journal);
    const keys = await masterKeysOf(model, key_file);
    const watch = { committed: () => undefined, failed: () => undefined };
    const mesh = await Mesh.open({ journal, model, clock, master: keys, watch });
    open.push(mesh);
    const parts = { keys, key_file, token_file: at('bootstrap-token') };
    return { mesh, ensureOwner: (recover = false) => ensureOwner(mesh, { ...parts, recover }) };
  }

  const tokenFiles = async () => (await readdir(folder)).filter((name) => name.startsWith('bootstrap-token')).sort();

  /** The name of the token that the file opens the mesh with; undefined when it opens nothing. */
  async function opens(mesh: Mesh, file = 'bootstrap-token'): Promise<string | undefined> {
    const sha256 = hash('sha256', (await readFile(at(file), 'utf8')).trim());
    return [...mesh.model.all('token')].find(({ body }) => body.secret_sha256 === sha256)?.body.name;
  }

  /** The store takes the commit, and the process gets no answer: a crash just after the commit looks the same. */
  const losesTheAnswer = (journal: Journal) => {
    const commit = journal.commit.bind(journal);
    journal.commit = async (...args) => {
      await commit(...args);
      throw new StoreError('outcome_unknown', 'the connection broke');
    };
  };
  const takesNothing = (journal: Journal) => {
    journal.commit = () => Promise.reject(new StoreError('unavailable', 'no disk'));
  };

  it('is put in place by the next start when the token was committed and the answer was lost', async () => {
    const first = await started({ wrap: losesTheAnswer });
    await assert.rejects(
      first.ensureOwner(),
      /If it has it, the text is in .*bootstrap-token\.token_\w+, and the next/,
    );
    await closeAll();
    const next = await started();
    assert.equal(await next.ensureOwner(), 'finished');
    assert.deepEqual(await tokenFiles(), ['bootstrap-token']);
    assert.equal(await opens(next.mesh), 'bootstrap');
  });

  it('is never an older token in the place of a newer', async () => {
    await assert.rejects((await started({ wrap: losesTheAnswer })).ensureOwner());
    await closeAll();
    const next = await started();
    assert.equal(await next.ensureOwner(true), 'made');
    assert.equal(await opens(next.mesh), 'recovery');
    assert.equal(await next.ensureOwner(), 'unchanged');
    assert.equal(await opens(next.mesh), 'recovery');
  });

  it('is not there, nor a draft of it, when the store took nothing', async () => {
    const first = await started({ wrap: takesNothing });
    await assert.rejects(first.ensureOwner(), { code: 'store_unavailable' });
    assert.deepEqual(await tokenFiles(), []);
  });

  it('stays as it was when a recovery fails', async () => {
    await (await started()).ensureOwner();
    await closeAll();
    const next = await started({ wrap: takesNothing });
    await assert.rejects(next.ensureOwner(true), { code: 'store_unavailable' });
    assert.deepEqual(await tokenFiles(), ['bootstrap-token']);
    assert.equal(await opens(next.mesh), 'bootstrap');
  });

  it('is not made of a draft whose token was never committed; that goes after a day', async () => {
    const draft = 'bootstrap-token.token_01k00000000000000000000000';
    await writeFile(at(draft), 'mesh_of_a_start_that_was_killed\n', { mode: 0o600 });
    const first = await started();
    assert.equal(await first.ensureOwner(), 'made');
    assert.equal(await first.ensureOwner(), 'unchanged');
    assert.deepEqual(
      await tokenFiles(),
      ['bootstrap-token', draft],
      'it may be of another coordinator, about to commit',
    );
    assert.equal(await opens(first.mesh), 'bootstrap');
    clock.advance(25 * 3600);
    await first.ensureOwner();
    assert.deepEqual(await tokenFiles(), ['bootstrap-token']);
  });

  it('is found to be a folder before a token is committed', async () => {
    await mkdir(at('bootstrap-token'));
    const first = await started();
    await assert.rejects(first.ensureOwner(), /bootstrap-token is a folder, and must be a file/);
    assert.equal(first.mesh.model.revision, 0);
  });

  describe('that two coordinators share', () => {
    let server: PostgresServer;
    beforeEach(async () => {
      server = await startPostgresServer();
    });
    afterEach(async () => {
      await closeAll();
      await server.close();
    });

    it('holds the token of the one that was first', async () => {
      for (let round = 0; round < 5; round++) {
        const store = await server.newDatabase();
        const both = [await started({ store }), await started({ store })];
        const wrote = await Promise.all(both.map((one) => one.ensureOwner()));
        assert.equal(wrote.filter((one) => one === 'made').length, 1);
        assert.deepEqual(await tokenFiles(), ['bootstrap-token']);
        for (const { mesh } of both) assert.equal(await opens(mesh), 'bootstrap');
        await closeAll();
      }
    });

    it('is not given to one that lost with a master key of its own, even with the option to recover', async () => {
      const store = await server.newDatabase();
      const both = [await started({ store }), await started({ store, key_file: at('other-key') })] as const;
      assert.equal(await both[0].ensureOwner(), 'made');
      await assert.rejects(both[1].ensureOwner(true), /other-key holds the master key of another installation/);
      assert.deepEqual(await tokenFiles(), ['bootstrap-token']);
      assert.equal(both[1].mesh.model.count('token'), 1);
    });
  });
});
