import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Commit, openStore } from '@meshwork/store';
import { median, type Row } from '../measure.ts';
import { startPinned } from '../pinned.ts';

const DOCUMENTS = 100_000;
const ROUNDS = 3;

/** The memory of a coordinator with 100,000 documents and the time it takes to start, against one with none. */
export async function sizeSuite(): Promise<Row[]> {
  const empty = await startsOf(0);
  const full = await startsOf(DOCUMENTS);
  const per = ((full.rss - empty.rss) / DOCUMENTS / 1024) * 1024;
  return [
    { what: 'start, empty', value: empty.started_ms, unit: 'ms' },
    {
      what: `start, ${DOCUMENTS.toLocaleString('en')} documents`,
      value: full.started_ms,
      unit: 'ms',
      against: { what: 'empty', value: empty.started_ms },
      aim: '< 2,000 ms',
    },
    { what: 'memory, empty', value: empty.rss / 2 ** 20, unit: 'MiB' },
    {
      what: `memory, ${DOCUMENTS.toLocaleString('en')} documents`,
      value: full.rss / 2 ** 20,
      unit: 'MiB',
      against: { what: 'empty', value: empty.rss / 2 ** 20 },
    },
    { what: 'memory for each document', value: per, unit: 'bytes' },
  ];
}

async function startsOf(documents: number): Promise<{ started_ms: number; rss: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
  const env = { MESH_DATA_DIR: folder, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'silent' };
  const script = new URL('../coordinator-process.ts', import.meta.url);
  try {
    await (await startPinned(script, [], env)).end();
    if (documents > 0) await fill(join(folder, 'mesh.db'), documents);
    const starts: { started_ms: number; rss: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const coordinator = await startPinned(script, [], env);
      starts.push(coordinator.ready as { started_ms: number; rss: number });
      await coordinator.end();
    }
    return {
      started_ms: median(starts.map(({ started_ms }) => started_ms)),
      rss: median(starts.map(({ rss }) => rss)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tokens as they are in real life, some 600 bytes each, straight into the store. */
async function fill(file: string, count: number): Promise<void> {
  const journal = await openStore(`sqlite:${file}`);
  let revision = await journal.load(() => undefined);
  for (let done = 0; done < count; done += 1000) {
    const changes = Array.from({ length: 1000 }, (_, index) => token(done + index));
    const commit: Commit = { revision: revision + 1, changes, appends: [] };
    revision = await journal.commit(revision, () => [commit]);
  }
  await journal.close();
}

function token(index: number) {
  const id = `token_01jcqv${String(index).padStart(20, '0')}`;
  const body = {
    name: `integration ${index} of a team with a rather long name`,
    scope: { team: `team-${index % 50}`, surface: 'git', environment: 'production' },
    role: 'pipeline',
    expires: '2027-01-31T00:00:00Z',
    created_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'bootstrap' },
    secret_sha256: '9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de',
    created_at: '2026-11-15T09:30:00Z',
    retires_at: null,
    rotated_from: null,
    rotated_to: null,
    revoked_at: null,
  };
  return { kind: 'token', id, body: JSON.stringify(body) };
}
