import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Mesh } from '@meshwork/coordinator/mesh';
import { type Commit, type Journal, openStore } from '@meshwork/store';
import { interleaved, type Row } from '../measure.ts';

const CALLERS = 64;
const COMMITS = 6400;
const ROUNDS = 5;

/**
 * Durable, audited changes through `transact`, 64 callers at once. Compared with the store alone, which is given the
 * same documents and entries in ready-made batches of 64; and, to know what the store itself costs, against bare
 * `node:sqlite` writing two plain tables without an index to query them by.
 */
export async function commitsSuite(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
  const raw = rawTables(join(folder, 'raw.db'));
  const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
  const mesh = await Mesh.open({
    journal: await openStore(`sqlite:${join(folder, 'mesh.db')}`),
    clock: { now: () => Date.now(), monotonic: () => Math.floor(performance.now()) },
    master: createSecretKey(randomBytes(32)),
    watch: { committed: () => undefined, failed: (error) => Promise.reject(error) },
  });
  const what = `changes by ${CALLERS} callers, durable and audited`;
  const unit = 'changes/s';
  try {
    const byStore = await interleaved(
      ROUNDS,
      () => throughMesh(mesh),
      () => throughStore(store),
    );
    const byTables = await interleaved(
      ROUNDS,
      () => throughMesh(mesh),
      () => Promise.resolve(throughRaw(raw)),
    );
    const alone = { what: `the store alone, batches of ${CALLERS}`, value: byStore.theirs };
    const plain = { what: 'node:sqlite, two plain tables', value: byTables.theirs };
    return [
      { what, value: byStore.ours, unit, against: alone, aim: '≥ 0.5' },
      { what: 'the same', value: byTables.ours, unit, against: plain },
    ];
  } finally {
    await mesh.close();
    await store.close();
    raw.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const DESCRIPTION = 'x'.repeat(400);
let made = 0;

async function throughMesh(mesh: Mesh): Promise<number> {
  const startedAt = performance.now();
  let left = COMMITS;
  const caller = async () => {
    while (left-- > 0) {
      const id = `role-${made++}`;
      await mesh.transact({ actor: { kind: 'system', name: 'bench' }, action: 'bench.change' }, (tx) => {
        tx.put('role', id, { description: DESCRIPTION, permissions: [] });
        tx.record({ target: { kind: 'role', id } });
      });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return COMMITS / ((performance.now() - startedAt) / 1000);
}

async function throughStore(store: Journal): Promise<number> {
  let revision = await store.load(() => undefined);
  const startedAt = performance.now();
  for (let done = 0; done < COMMITS; done += CALLERS) {
    const commits = Array.from({ length: CALLERS }, (_, index) => readyCommit(revision + 1 + index));
    revision = await store.commit(revision, () => commits);
  }
  return COMMITS / ((performance.now() - startedAt) / 1000);
}

function readyCommit(revision: number): Commit {
  const id = `role-${made++}`;
  const { body, entry } = texts(id);
  const append = {
    log: 'audit',
    id: `audit_${id}`,
    at_ms: Date.now(),
    actor: null,
    action: 'bench.change',
    target: id,
  };
  return { revision, changes: [{ kind: 'role', id, body }], appends: [{ ...append, body: entry, chained: true }] };
}

function rawTables(file: string): DatabaseSync {
  const store = new DatabaseSync(file);
  store.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  store.exec(
    'CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT) STRICT; CREATE TABLE entries (seq INTEGER PRIMARY KEY, body TEXT) STRICT',
  );
  return store;
}

function throughRaw(store: DatabaseSync): number {
  const document = store.prepare('INSERT INTO documents (id, body) VALUES (?, ?)');
  const entry = store.prepare('INSERT INTO entries (body) VALUES (?)');
  const startedAt = performance.now();
  for (let done = 0; done < COMMITS; done += CALLERS) {
    store.exec('BEGIN IMMEDIATE');
    for (let one = 0; one < CALLERS; one++) {
      const id = `role-${made++}`;
      const text = texts(id);
      document.run(id, text.body);
      entry.run(text.entry);
    }
    store.exec('COMMIT');
  }
  return COMMITS / ((performance.now() - startedAt) / 1000);
}

/** A document and an audit entry, as large as those of the mesh. */
function texts(id: string): { body: string; entry: string } {
  const after = { description: DESCRIPTION, permissions: [] };
  const entry = {
    id: `audit_${id}`,
    at: new Date().toISOString(),
    action: 'bench.change',
    outcome: 'done',
    code: null,
    count: 1,
    actor: { kind: 'system', id: null, name: 'bench' },
    target: { kind: 'role', id },
    scope: { team: '*', surface: '*', environment: '*' },
    changes: [{ kind: 'role', id, before: null, after }],
  };
  return { body: JSON.stringify(after), entry: JSON.stringify(entry) };
}
