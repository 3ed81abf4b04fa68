/** The ledger on both stores: what is written together is there together, also for another panel on the same store. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { newId } from '@meshwork/contract';
import { TestClock } from '@meshwork/service/testing';
import { openStore } from '@meshwork/store';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { Ledger } from './ledger.ts';
import { PANEL, TRAIL } from './transaction.ts';

const CAUSE = { actor: PANEL, action: 'panel.start', request_id: null, address: null } as const;
const NAME = { user: newId('user', 1) };
const failed = (error: unknown) => {
  throw error;
};

interface Place {
  address(): Promise<string>;
  close(): Promise<void>;
}

function sqlitePlace(): Place {
  let folder = '';
  return {
    address: async () => {
      folder = await mkdtemp(join(tmpdir(), 'mesh-ledger-'));
      return `sqlite:${folder}/panel.db`;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function postgresPlace(): Place {
  let server: PostgresServer | undefined;
  return {
    address: async () => {
      server ??= await startPostgresServer();
      return server.newDatabase();
    },
    close: async () => server?.close(),
  };
}

for (const [store, place] of Object.entries({ sqlite: sqlitePlace(), postgres: postgresPlace() })) {
  describe(`the ledger on ${store}`, () => {
    let address: string;
    const open = new Set<{ close(): Promise<void> }>();
    before(async () => {
      address = await place.address();
    });
    afterEach(async () => {
      for (const one of [...open].reverse()) await one.close();
      open.clear();
    });
    after(() => place.close());

    const unknown: string[] = [];
    async function opened(fatal?: (error: unknown) => void): Promise<Ledger> {
      const journal = await openStore(address, { postgres: { schema: 'panel' } });
      open.add(journal); // also when the ledger does not open
      const unknown_kind = (kind: string) => unknown.push(kind);
      const parts = { journal, clock: new TestClock(), failed, unknown_kind };
      const ledger = await Ledger.open(fatal === undefined ? parts : { ...parts, fatal });
      open.add(ledger);
      return ledger;
    }

    it('keeps what was written, and its trail, in one step', async () => {
      const ledger = await opened();
      const { revision } = ledger;
      await ledger.transact(CAUSE, (tx) => {
        tx.put('name', 'ada', NAME);
        tx.record({ target: { kind: 'user', id: NAME.user } });
      });
      assert.deepEqual(ledger.get('name', 'ada'), { id: 'ada', revision: revision + 1, body: NAME });
      const [entry] = await ledger.journal.range({ log: TRAIL, order: 'newest_first', limit: 1 });
      assert.equal(entry?.revision, revision + 1);
      assert.notEqual(entry?.hash, null);
      for (const one of [...open].reverse()) await one.close();
      open.clear();
      assert.deepEqual((await opened()).get('name', 'ada')?.body, NAME);
    });

    it('writes nothing of a change that throws, and everything of the others in the same round', async () => {
      const ledger = await opened();
      const results = await Promise.allSettled([
        ledger.transact(CAUSE, (tx) => void tx.put('name', 'first', NAME)),
        ledger.transact(CAUSE, (tx) => {
          tx.put('name', 'second', NAME);
          throw new Error('no');
        }),
        ledger.transact(CAUSE, (tx) => tx.get('name', 'first')?.id),
        ledger.transact(CAUSE, (tx) => void tx.put('name', 'x'.repeat(100_000), NAME)),
        ledger.transact(CAUSE, (tx) => [...tx.all('name')].filter(({ id }) => id === 'first').length),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(results[2], { status: 'fulfilled', value: 'first' });
      assert.deepEqual(results[4], { status: 'fulfilled', value: 1 });
      assert.equal(ledger.get('name', 'second'), undefined);
    });

    it('answers every caller when a watcher throws, reports it once, and takes nothing more', async () => {
      const failures: unknown[] = [];
      const ledger = await opened((error) => failures.push(error));
      const seen: (string | undefined)[] = [];
      ledger.watch('name', () => {
        throw new Error('a bug');
      });
      ledger.watch('name', (_before, after) => seen.push(after?.id));
      await Promise.all(['one', 'two'].map((id) => ledger.transact(CAUSE, (tx) => tx.put('name', id, NAME))));
      assert.deepEqual(seen, ['one', 'two']);
      assert.deepEqual(
        failures.map((error) => (error as Error).message),
        ['a bug'],
      );
      assert.equal(ledger.upToDate, false);
      await assert.rejects(
        ledger.transact(CAUSE, (tx) => tx.put('name', 'three', NAME)),
        { code: 'shutting_down' },
      );
    });

    it('notifies watchers once the whole commit is in memory', async () => {
      const ledger = await opened();
      const seen: (string | undefined)[] = [];
      ledger.watch('name', (from, to) => seen.push(`${from?.id} ${to?.id} ${ledger.get('name', 'other')?.id}`));
      await ledger.transact(CAUSE, (tx) => {
        tx.put('name', 'watched', NAME);
        tx.put('name', 'other', NAME);
      });
      await ledger.transact(CAUSE, (tx) => tx.delete('name', 'watched'));
      assert.deepEqual(seen, ['undefined watched other', 'undefined other other', 'watched undefined other']);
    });

    /** What a panel of a later version writes. */
    function fromTheFuture({ journal, revision }: Pick<Ledger, 'journal' | 'revision'>, body: string | null) {
      return journal.commit(revision, (news) => {
        const next = (news?.revision ?? revision) + 1;
        return [{ revision: next, changes: [{ kind: 'holiday', id: 'christmas', body }], appends: [] }];
      });
    }

    it('opens a store with documents of a kind from the future, and leaves them there', async () => {
      const ledger = await opened();
      await fromTheFuture(ledger, '{"days":2}');
      for (const one of [...open].reverse()) await one.close();
      open.clear();
      unknown.length = 0;
      const again = await opened();
      assert.deepEqual(unknown, ['holiday'], 'it is reported once');
      await again.transact(CAUSE, (tx) => void tx.put('name', 'beside', NAME));
      const kept: string[] = [];
      await again.journal.load((documents) => kept.push(...documents.map(({ kind, body }) => `${kind} ${body}`)));
      assert.ok(kept.includes('holiday {"days":2}'));
      await fromTheFuture(again, null);
    });

    it('takes nothing more once it is closed', async () => {
      const ledger = await opened();
      const last = ledger.transact(CAUSE, (tx) => void tx.put('name', 'last', NAME));
      await ledger.close();
      await last;
      await assert.rejects(
        ledger.transact(CAUSE, (tx) => tx.record()),
        { code: 'shutting_down' },
      );
    });

    if (store === 'postgres') {
      it('is one for two panels: neither overwrites the other, and each follows the other’s changes', async () => {
        const [one, other] = [await opened(), await opened()];
        const followed = new Promise<string>((resolve) => {
          other.watch('name', (_, after) => resolve(after?.id ?? ''));
        });
        await one.transact(CAUSE, (tx) => void tx.put('name', 'written', NAME));
        assert.equal(await followed, 'written');
        unknown.length = 0;
        await fromTheFuture(one, '{"days":3}');
        // Once by following it, or by the next change, which has to go on top of it.
        for (const ledger of [one, other]) await ledger.transact(CAUSE, (tx) => void tx.put('name', 'after', NAME));
        assert.deepEqual(new Set(unknown), new Set(['holiday']));
        const claim = (ledger: Ledger, by: string) =>
          ledger.transact(CAUSE, (tx) => {
            if (tx.get('name', 'claimed') !== undefined) throw new Error('taken');
            tx.put('name', 'claimed', { user: newId('user', 1) });
            return by;
          });
        const claims = await Promise.allSettled([claim(one, 'one'), claim(other, 'other')]);
        assert.equal(claims.filter(({ status }) => status === 'fulfilled').length, 1);
      });
    }
  });
}
