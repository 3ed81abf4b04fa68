import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { isBusy } from './sqlite-fault.ts';

/**
 * Makes this process the only one that writes the store. Two would each trust their own model of the mesh.
 *
 * The claim is an exclusive lock on an empty SQLite database beside the store, so that the kernel lets go of it however
 * the process ends, and the store itself stays free for anyone who reads or copies it.
 */
export class Claim {
  readonly #lock: DatabaseSync;

  /** `lockFile` must exist: SQLite would create it readable by everyone. */
  constructor(file: string, lockFile: string) {
    this.#lock = new DatabaseSync(lockFile, { timeout: 0 });
    try {
      this.#lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#lock.close();
      if (!isBusy(error)) throw error;
      throw new StoreError(
        'in_use',
        `another process holds the store ${file}. Stop it first; to run several coordinators, use PostgreSQL.`,
        { cause: error },
      );
    }
  }

  release(): void {
    this.#lock.close();
  }
}
