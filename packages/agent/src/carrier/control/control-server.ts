import { chmod, lstat, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { isBehind, readLines, writeLine } from './lines.ts';
import {
  type Answer,
  type CarrierEvent,
  COMMANDS,
  type Command,
  type CommandName,
  type EventName,
  PROTOCOL,
} from './messages.ts';
import { integer, object, text } from './shape.ts';

/** Takes a command that has the right shape. What it throws is the answer: its message must hold no secret. */
export type Handlers = {
  readonly [N in CommandName]: (command: Command<N>) => Answer<N> | Promise<Answer<N>>;
};

interface ControlOptions {
  readonly path: string;
  /** For the number of this process: there before the socket is, so that an agent can end one that hangs. */
  readonly pid_file: string;
  readonly version: string;
  readonly handlers: Handlers;
}

const ENVELOPE = object({
  id: integer(0, Number.MAX_SAFE_INTEGER),
  command: text(40),
  // Checked by the command's own shape.
  with: { problem: () => undefined },
});

/** Where the agent controls its carrier. One agent at a time: the one that came last. */
export class ControlServer {
  readonly #options: ControlOptions;
  readonly #server: Server;
  #agent: Socket | undefined;
  #inode: number | undefined;
  dropped_events = 0;

  private constructor(options: ControlOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#take(socket));
  }

  /** Rejects when another carrier answers there. */
  static async open(options: ControlOptions): Promise<ControlServer> {
    const { path, pid_file } = options;
    if (await answers(path)) throw new Error('another carrier runs already');
    await rm(path, { force: true });
    await writeFile(pid_file, `${process.pid}\n`, { mode: 0o600 });
    const control = new ControlServer(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    control.#server.once('error', reject);
    const umask = process.umask(0o177); // never open to others, not even between being made and being changed
    control.#server.listen(path, resolve);
    await promise.finally(() => process.umask(umask));
    await chmod(path, 0o600);
    control.#inode = (await lstat(path)).ino;
    return control;
  }

  /** Dropped when no agent listens, or it does not keep up: the state says the same. */
  report<N extends EventName>(event: N, facts: CarrierEvent<N>): void {
    const agent = this.#agent;
    if (agent === undefined || isBehind(agent)) this.dropped_events++;
    else writeLine(agent, { event, with: facts });
  }

  /** Whether the socket is still where agents look for it. */
  async isReachable(): Promise<boolean> {
    try {
      return (await lstat(this.#options.path)).ino === this.#inode;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Takes the socket away, if it is its own. */
  async close(): Promise<void> {
    const isOwn = await this.isReachable();
    this.#server.close();
    this.#agent?.end();
    if (isOwn) await rm(this.#options.path, { force: true });
  }

  #take(socket: Socket): void {
    this.#agent?.destroy();
    this.#agent = socket;
    socket.on('error', () => undefined); // `close` follows
    socket.once('close', () => {
      if (this.#agent === socket) this.#agent = undefined;
    });
    writeLine(socket, { hello: { protocol: PROTOCOL, version: this.#options.version, pid: process.pid } });
    readLines(socket, (value) => void this.#answer(socket, value));
  }

  async #answer(socket: Socket, value: unknown): Promise<void> {
    if (ENVELOPE.problem(value, 'command') !== undefined) return void socket.destroy();
    const { id, command, with: facts } = value as { id: number; command: string; with: unknown };
    try {
      writeLine(socket, { id, answer: await this.#run(command, facts) });
    } catch (error) {
      writeLine(socket, { id, error: (error as Error).message.slice(0, 1000) });
    }
  }

  async #run(command: string, facts: unknown): Promise<unknown> {
    if (!Object.hasOwn(COMMANDS, command)) throw new Error('there is no such command');
    const name = command as CommandName;
    const problem = COMMANDS[name].problem(facts, name);
    if (problem !== undefined) throw new Error(problem);
    const handle = this.#options.handlers[name] as (given: unknown) => unknown;
    return await handle(facts);
  }
}

function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
