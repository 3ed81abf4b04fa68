/** A mesh on a real store in a folder of its own, without a service around it. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import { Mesh } from '../src/mesh/mesh.ts';

export interface MeshOnDisk extends AsyncDisposable {
  readonly mesh: Mesh;
}

export async function meshOnDisk(clock: Clock): Promise<MeshOnDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-'));
  const watch = { committed: () => undefined, failed: () => undefined };
  const journal = await openStore(`sqlite:${join(folder, 'mesh.db')}`);
  const mesh = await Mesh.open({ journal, clock, master: createSecretKey(randomBytes(32)), watch });
  return {
    mesh,
    async [Symbol.asyncDispose]() {
      await mesh.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
