import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalContract } from '../../test/journal-contract.ts';

let folder = '';
let stores = 0;

journalContract('SQLite', {
  async setUp() {
    folder = await mkdtemp(join(tmpdir(), 'meshwork-store-'));
  },
  async tearDown() {
    await rm(folder, { recursive: true });
  },
  async newPlace() {
    stores += 1;
    return { address: `sqlite:${folder}/${stores}/mesh.db`, options: {} };
  },
});
