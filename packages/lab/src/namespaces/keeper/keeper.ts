import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LabError } from '../lab-error.ts';
import { endProcess, type ProcessId, processId } from '../life/living-process.ts';
import { SYSTEM_PATH } from '../network/run.ts';
import type { FromKeeper, KeeperTask, ToKeeper } from './keeper-messages.ts';

const PROGRAM = fileURLToPath(new URL('./keeper-process.ts', import.meta.url));
/** Ours: a process that was killed is gone in milliseconds, unless the machine is very busy. */
const ENDS_WITHIN_MS = 20_000;

/**
 * The process that a lab lives with. When we die without a word, however, it ends the lab; so the machine is left clean
 * also after a test that was killed. After `stay` it goes on without us.
 */
export class Keeper {
  readonly id: ProcessId;
  readonly #child: ChildProcess;

  private constructor(id: ProcessId, child: ChildProcess) {
    this.id = id;
    this.#child = child;
  }

  static async start(task: KeeperTask): Promise<Keeper> {
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(task)], {
      // Of a group of its own: a Ctrl-C ends us, and the keeper then sees that we are gone.
      detached: true,
      // It may live long, and has no use for what is secret in ours.
      env: { PATH: SYSTEM_PATH },
      // Its errors go to the terminal that started it. A lab that stays must not keep a terminal open.
      stdio: ['ignore', 'ignore', task.stays ? 'ignore' : 'inherit', 'ipc'],
    });
    const { pid } = child;
    if (pid === undefined) await once(child, 'spawn'); // rejects with why it could not be started
    const id = pid === undefined ? undefined : await processId(pid);
    if (id === undefined) throw new LabError('failed', 'the keeper of the lab could not be started');
    child.channel?.unref();
    child.unref();
    return new Keeper(id, child);
  }

  /** Lets the nodes reach the coordinator. Only when the network is there. */
  async openDoor(): Promise<void> {
    await this.#ask({ do: 'open_door' });
  }

  /** From now on the lab lives until it is ended. */
  async stay(): Promise<void> {
    await this.#ask({ do: 'stay' });
    this.#child.disconnect();
  }

  /** At once, without cleaning up: that is up to the caller. Resolves when it is gone. */
  async end(): Promise<void> {
    await endProcess(this.id, 'SIGKILL', ENDS_WITHIN_MS);
  }

  async #ask(message: ToKeeper): Promise<void> {
    this.#child.channel?.ref();
    const ended = new AbortController();
    try {
      const { signal } = ended;
      const answer = once(this.#child, 'message', { signal }).then(([text]) => text as FromKeeper);
      const gone = once(this.#child, 'exit', { signal }).then((): FromKeeper => ({ failed: 'it has ended' }));
      if (!this.#child.connected) throw new LabError('failed', 'the keeper of the lab has ended');
      this.#child.send(message);
      const { failed } = await Promise.race([answer, gone]);
      if (failed !== undefined) throw new LabError('failed', `the keeper of the lab: ${failed}`);
    } finally {
      ended.abort();
      this.#child.channel?.unref();
    }
  }
}
