import type { Command, CommandResult } from '@meshwork/contract';
import { MAX_ANSWER_BYTES } from '@meshwork/contract/vocabulary';
import { messageOf } from '../message-of.ts';

/** How each kind is done, and the answer where one was asked for. What it throws is the reason of the failure. */
type CommandTable = Record<Command['kind'], (command: Command) => Promise<string | undefined>>;

const MAX_DETAIL_LENGTH = 500;

/** Does what the coordinator asks for, once each, however often it is listed. */
export class Commands {
  readonly #table: CommandTable;
  readonly #finished: (result: CommandResult) => void;
  #begun: ReadonlySet<string> = new Set();

  constructor(table: CommandTable, finished: (result: CommandResult) => void) {
    this.#table = table;
    this.#finished = finished;
  }

  /** `listed` is all that are still to be done. Resolves once the new ones have ended; never rejects. */
  async take(listed: readonly Command[]): Promise<void> {
    const fresh = listed.filter(({ id }) => !this.#begun.has(id));
    if (fresh.length === 0 && listed.length === this.#begun.size) return;
    this.#begun = new Set(listed.map(({ id }) => id)); // what is listed no more will not come again
    await Promise.all(fresh.map((command) => this.#run(command)));
  }

  async #run(command: Command): Promise<void> {
    this.#finished(await this.#outcome(command));
  }

  async #outcome({ id, kind }: Command): Promise<CommandResult> {
    // A newer coordinator may know kinds that this agent does not: that is a failure with a reason, not silence.
    const run = Object.hasOwn(this.#table, kind) ? this.#table[kind] : undefined;
    if (run === undefined) return { id, outcome: 'failed', detail: `this agent does not know how to ${kind}` };
    try {
      const data = await run({ id, kind });
      return data === undefined ? { id, outcome: 'done' } : answered(id, data);
    } catch (error) {
      const detail = messageOf(error);
      return { id, outcome: 'failed', detail: detail.slice(0, MAX_DETAIL_LENGTH) };
    }
  }
}

/** What is too long for a heartbeat is no answer: half of it could not be read. */
function answered(id: string, data: string): CommandResult {
  const bytes = Buffer.byteLength(data);
  if (bytes <= MAX_ANSWER_BYTES) return { id, outcome: 'done', data };
  return { id, outcome: 'failed', detail: `the answer has ${bytes} bytes; ${MAX_ANSWER_BYTES} can be sent` };
}
