import type { HeartbeatReply } from '@meshwork/contract';
import { heartbeatReplyShape, object } from '@meshwork/contract/answers';
import { StateFile, type StateFileOptions } from './state-file.ts';
import { STATE_FILES } from './state-folder.ts';

/** Ours, between two writes. What is lost with it, the coordinator sends again. */
const PAUSE_MS = 1000;
const SAVED = object({ view: heartbeatReplyShape });

/**
 * The last view, saved so that a node that restarts while its coordinator is away is what it was. Written at once, and at most once a
 * second: under a storm of changes the latest wins. An agent that is killed leaves WireGuard as it is, and the next one makes of it what
 * it finds here: a view that is older would take newer peers away.
 */
export class LastView {
  readonly #file: StateFile<{ readonly view: HeartbeatReply }>;
  /** What should be on disk and is not yet. */
  #latest: (() => HeartbeatReply | undefined) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StateFileOptions) {
    this.#file = new StateFile(options, { file: STATE_FILES.view, name: 'last view', shape: SAVED });
  }

  /** Absent: there is none, or none that makes sense. */
  async load(): Promise<HeartbeatReply | undefined> {
    return (await this.#file.load())?.view;
  }

  /** `snapshot` is asked for when it is written, and has every section that is held as `full`. Undefined: nothing is held. */
  save(snapshot: () => HeartbeatReply | undefined): void {
    this.#latest = snapshot;
    this.#timer ??= setTimeout(() => this.#turn(), 0);
  }

  /** Resolves once everything is on disk. Nothing is saved afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#write();
    await this.#file.close();
  }

  /** Writes what there is, and looks again after a pause. */
  #turn(): void {
    this.#timer = this.#write() ? setTimeout(() => this.#turn(), PAUSE_MS) : undefined;
  }

  /** Says whether there was anything to write. */
  #write(): boolean {
    const view = this.#latest?.();
    this.#latest = undefined;
    if (view === undefined) return false;
    void this.#file.save({ view });
    return true;
  }
}
