import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { HeartbeatReply } from '@meshwork/contract';
import { shapeOf } from '../conversation/answer-shape.ts';
import { readPrivate, writeAtomically } from '../host/atomic-file.ts';
import { STATE_FILES } from './state-folder.ts';

/** Ours: what is lost with the last second, the coordinator tells again. */
const PAUSE_MS = 1000;
const VIEW = shapeOf(HeartbeatReply);

interface Options {
  readonly folder: string;
  /** A view of another node is none of ours. */
  readonly node: string;
  /** Hears of what went wrong. Nothing of it stops an agent: it is told everything again by the coordinator. */
  readonly warn: (problem: string) => void;
}

/**
 * What the coordinator last told, kept so that a node that restarts while its coordinator is away is what it was. Written
 * at most once a second: under a storm of changes the latest wins.
 */
export class LastView {
  readonly #options: Options;
  readonly #file: string;
  /** What should be on disk and is not yet. */
  #latest: (() => HeartbeatReply | undefined) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#file = join(options.folder, STATE_FILES.view);
  }

  /** Absent: there is none, or none that makes sense. */
  async load(): Promise<HeartbeatReply | undefined> {
    try {
      const text = await readPrivate(this.#file);
      return text === undefined ? undefined : this.#read(text);
    } catch (error) {
      const { warn } = this.#options;
      const aside = `${this.#file}.bad`;
      warn(`the last view cannot be used, and is set aside as ${aside}: ${(error as Error).message}`);
      await rename(this.#file, aside).catch((failure: Error) => warn(`${aside}: ${failure.message}`));
      return undefined;
    }
  }

  /** `snapshot` is asked for when it is written, and has every section that is held as `full`. Undefined: nothing is held. */
  save(snapshot: () => HeartbeatReply | undefined): void {
    this.#latest = snapshot;
    this.#timer ??= setTimeout(() => this.#write(), PAUSE_MS);
  }

  /** Resolves once everything is on disk. Nothing is saved afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
  }

  #write(): void {
    this.#timer = undefined;
    const view = this.#latest?.();
    this.#latest = undefined;
    if (view === undefined) return;
    const text = JSON.stringify({ version: 1, node: this.#options.node, view });
    this.#writing = this.#writing
      .then(() => writeAtomically(this.#file, text))
      .catch((error: Error) => this.#options.warn(error.message));
  }

  #read(text: string): HeartbeatReply {
    const { version, node, view } = JSON.parse(text) as { version?: unknown; node?: unknown; view?: unknown };
    const problem = version === 1 ? VIEW(view) : ' is of another version';
    if (problem !== undefined) throw new Error(`it is not a view: ${problem.trimStart()}`);
    if (node !== this.#options.node) throw new Error('it is of another node');
    return view as HeartbeatReply;
  }
}
