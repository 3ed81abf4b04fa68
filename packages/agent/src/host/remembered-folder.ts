import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode, writeAtomically } from './atomic-file.ts';

/** Remembers which folder an engine was given: what is removed may have been made with other settings. */
export class RememberedFolder {
  readonly #file: string;

  /** `folder` is where the agent keeps its state, `engine` whose folder is remembered. */
  constructor(folder: string, engine: string) {
    this.#file = join(folder, `${engine}.json`);
  }

  /** Undefined: it was never given one. */
  async read(): Promise<string | undefined> {
    try {
      const { folder } = JSON.parse(await readFile(this.#file, 'utf8')) as { folder: string };
      return folder;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async keep(folder: string): Promise<void> {
    await writeAtomically(this.#file, JSON.stringify({ folder }));
  }

  async forget(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}
