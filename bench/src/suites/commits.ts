import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Mesh } from '@meshwork/coordinator/mesh';
import { openStore } from '@meshwork/store';
import { interleaved, type Row } from '../measure.ts';

const CALLERS = 64;
const COMMITS = 6400;
const ROUNDS = 5;

/**
 * Durable changes through `transact`, 64 callers at once, against the same rows (a document and its audit entry, with
 * the same bytes) written by bare `node:sqlite` in batches of 64.
 */
export async function commitsSuite(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
  const raw = rawStore(join(folder, 'raw.db'));
  const mesh = await Mesh.open({
    journal: await openStore(`sqlite:${join(folder, 'mesh.db')}`),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    master: createSecretKey(randomBytes(32)),
    watch: { committed: () => undefined, failed: (error) => Promise.reject(error) },
  });
  try {
    const { ours, theirs } = await interleaved(
      ROUNDS,
      () => throughMesh(mesh),
      () => Promise.resolve(throughRaw(raw)),
    );
    return [
      {
        what: `changes by ${CALLERS} callers, durable and audited`,
        value: ours,
        unit: 'changes/s',
        against: { what: `bare node:sqlite, batches of ${CALLERS}`, value: theirs },
        aim: '≥ 0.5',
      },
    ];
  } finally {
    await mesh.close();
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

function rawStore(file: string): DatabaseSync {
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
      const body = JSON.stringify({ description: DESCRIPTION, permissions: [] });
      document.run(id, body);
      entry.run(
        JSON.stringify({
          id,
          at: new Date().toISOString(),
          action: 'bench.change',
          changes: [{ kind: 'role', id, before: null, after: { description: DESCRIPTION, permissions: [] } }],
        }),
      );
    }
    store.exec('COMMIT');
  }
  return COMMITS / ((performance.now() - startedAt) / 1000);
}
