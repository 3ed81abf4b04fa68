import type { Readiness } from '@meshwork/contract';
import type { Log } from '@meshwork/service';
import { neededKeys } from './mesh/envelopes.ts';
import type { Mesh } from './mesh/mesh.ts';

/** How often the file is looked at while the key in it is not the one that is needed. */
const LOOKS_EVERY_MS = 5000;

interface KeeperParts {
  readonly mesh: Mesh;
  readonly file: string;
  readonly log: Log;
}

/**
 * Reads the master key file again when another coordinator turned the master key over, so that none has to be restarted. Where the
 * operator has not put the new key there yet, it says so, and looks again until it is there.
 */
export class MasterKeyKeeper {
  readonly #parts: KeeperParts;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    parts.mesh.model.watch({
      changed: ({ kind }) => {
        if (kind === 'installation') this.#look();
      },
      reset: () => this.#look(),
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #look(): void {
    if (this.#closed || this.#parts.mesh.hasMasterKey) return;
    this.#looking ??= this.#refresh().finally(() => {
      this.#looking = undefined;
    });
  }

  async #refresh(): Promise<void> {
    const { mesh, file, log } = this.#parts;
    let reason: unknown;
    try {
      await mesh.master.refresh(neededKeys(mesh.model));
    } catch (error) {
      reason = error;
    }
    if (mesh.hasMasterKey) return log.info({ master_key: mesh.needed_key }, 'took over the new master key');
    const about = { file, master_key: mesh.needed_key, ...(reason === undefined ? {} : { err: reason }) };
    log.error(about, 'the master key was turned over, and the file does not have the new one: copy it there');
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#look(), LOOKS_EVERY_MS).unref();
  }
}

/** Without the key nothing can be signed, and after an hour nodes are refused: requests should go elsewhere. */
export function masterKeyCheck(mesh: Mesh): () => Readiness['checks'][number] {
  return () => ({
    name: 'master_key',
    ok: mesh.hasMasterKey,
    detail: mesh.hasMasterKey ? null : `the master key file does not have ${mesh.needed_key}, which seals now`,
  });
}
