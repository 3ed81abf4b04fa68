import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shape } from '@meshwork/contract/answers';
import { readPrivate, writeAtomically } from '../host/atomic-file.ts';

export interface StateFileOptions {
  readonly folder: string;
  /** State of another node means nothing here. */
  readonly node: string;
  /** Hears of what went wrong. None of it stops an agent: the coordinator tells everything again. */
  readonly warn: (problem: string) => void;
}

interface Format {
  /** In the folder. */
  readonly file: string;
  /** As an operator knows it: `last view`. */
  readonly name: string;
  readonly shape: Shape;
}

/** One JSON document in the agent's state folder, with its version and its node. Writes follow one another. */
export class StateFile<T extends object> {
  readonly #options: StateFileOptions;
  readonly #format: Format;
  readonly #path: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: StateFileOptions, format: Format) {
    this.#options = options;
    this.#format = format;
    this.#path = join(options.folder, format.file);
  }

  /** Absent: there is none, or it cannot be used. Then it is set aside, and a warning says why. */
  async load(): Promise<T | undefined> {
    try {
      const text = await readPrivate(this.#path);
      return text === undefined ? undefined : this.#read(text);
    } catch (error) {
      const { warn } = this.#options;
      const aside = `${this.#path}.bad`;
      warn(`the ${this.#format.name} cannot be used, and is set aside as ${aside}: ${(error as Error).message}`);
      await rename(this.#path, aside).catch((failure: Error) => warn(`${aside}: ${failure.message}`));
      return undefined;
    }
  }

  /** Resolves when it is on disk, or a warning has said why it is not. */
  save(state: T): Promise<void> {
    const text = JSON.stringify({ version: 1, node: this.#options.node, ...state });
    this.#writing = this.#writing
      .then(() => writeAtomically(this.#path, text))
      .catch((error: Error) => this.#options.warn(error.message));
    return this.#writing;
  }

  /** Resolves when everything is on disk. */
  close(): Promise<void> {
    return this.#writing;
  }

  #read(text: string): T {
    const { version, node, ...state } = JSON.parse(text) as T & { readonly version?: unknown; readonly node?: unknown };
    const { name, shape } = this.#format;
    const problem = version === 1 ? shape(state) : ' is of another version';
    if (problem !== undefined) throw new Error(`it is not a ${name}: ${problem.trimStart()}`);
    if (node !== this.#options.node) throw new Error('it is of another node');
    return state as unknown as T;
  }
}
