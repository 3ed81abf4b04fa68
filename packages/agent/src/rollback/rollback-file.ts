import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { FirewallSection } from '@meshwork/contract';
import { type Shape, shapeOf } from '../conversation/answer-shape.ts';
import { readPrivate, writeAtomically } from '../host/atomic-file.ts';
import { STATE_FILES } from '../identity/state-folder.ts';
import { PART_NAMES, type PartName } from './host-parts.ts';
import type { RollbackState } from './rollback-state.ts';

interface Options {
  readonly folder: string;
  /** What another node has proven means nothing here. */
  readonly node: string;
  readonly warn: (problem: string) => void;
}

/**
 * What was proven and what was refused, so that an agent that is killed does not start with a configuration that cuts it
 * off, nor tries a refused one again. Changes are rare, so each is written at once.
 */
export class RollbackFile {
  readonly #options: Options;
  readonly #file: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#file = join(options.folder, STATE_FILES.rollback);
  }

  /** Absent: there is none, or none that makes sense. Then the agent goes on with the view that it has. */
  async load(): Promise<RollbackState | undefined> {
    try {
      const text = await readPrivate(this.#file);
      return text === undefined ? undefined : this.#read(text);
    } catch (error) {
      const { warn } = this.#options;
      const aside = `${this.#file}.bad`;
      warn(`the rollback state cannot be used, and is set aside as ${aside}: ${(error as Error).message}`);
      await rename(this.#file, aside).catch((failure: Error) => warn(`${aside}: ${failure.message}`));
      return undefined;
    }
  }

  /** Resolves when it is on disk, or a warning has said why it is not. */
  save({ proven, refused }: RollbackState): Promise<void> {
    const text = JSON.stringify({ version: 1, node: this.#options.node, proven, refused });
    this.#writing = this.#writing
      .then(() => writeAtomically(this.#file, text))
      .catch((error: Error) => this.#options.warn(error.message));
    return this.#writing;
  }

  /** Resolves when everything is on disk. */
  close(): Promise<void> {
    return this.#writing;
  }

  #read(text: string): RollbackState {
    const saved = JSON.parse(text) as RollbackState & { readonly version?: unknown; readonly node?: unknown };
    const problem = saved.version === 1 ? STATE(saved) : ' is of another version';
    if (problem !== undefined) throw new Error(`it is not a rollback state: ${problem.trimStart()}`);
    if (saved.node !== this.#options.node) throw new Error('it is of another node');
    return { proven: saved.proven, refused: saved.refused };
  }
}

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const integer = { type: 'integer' };

const VALUES: Readonly<Record<PartName, object>> = {
  names: { type: 'array', items: record({ name: text, addresses: texts }) },
  network: record({ addresses: texts, networks: texts, forwarded: texts }),
  routes: texts,
  egress: FirewallSection,
};
const refusal = record({ text, revision: integer, at: text });
const STATE: Shape = shapeOf(
  record({
    proven: record(each((part) => record({ value: VALUES[part], revision: integer, digest: text }))),
    refused: { type: 'object', properties: each(() => refusal) },
  }),
);

function record(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function each(schemaOf: (part: PartName) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(PART_NAMES.map((part) => [part, schemaOf(part)]));
}
