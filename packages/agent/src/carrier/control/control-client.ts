import { connect, type Socket } from 'node:net';
import { readLines, writeLine } from './lines.ts';
import {
  ANSWERS,
  type Answer,
  type CarrierEvent,
  type Command,
  type CommandName,
  EVENTS,
  type EventName,
  HELLO,
} from './messages.ts';

/** No carrier answers at the socket. */
export class NoCarrierError extends Error {
  override readonly name = 'NoCarrierError';
}

/** The carrier refused a command, and says why. */
export class CarrierRefusal extends Error {
  override readonly name = 'CarrierRefusal';
}

interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
}

interface ClientListener {
  readonly reported: <N extends EventName>(event: N, facts: CarrierEvent<N>) => void;
  /** The carrier has ended, or listens to another agent now. */
  readonly ended: () => void;
}

interface Pending {
  readonly command: CommandName;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Ours: allocating takes the longest, and gives up by itself before this. A carrier that takes longer hangs. */
const ANSWER_WITHIN_MS = 20_000;
/** Ours: it says hello at once. */
const HELLO_WITHIN_MS = 3000;

/** One connection of an agent to its carrier. */
export class ControlClient {
  readonly hello: Hello;
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #listener: ClientListener;
  #last_id = 0;
  #isClosed = false;

  private constructor(socket: Socket, hello: Hello, listener: ClientListener) {
    this.#socket = socket;
    this.hello = hello;
    this.#listener = listener;
    socket.once('close', () => this.#end());
  }

  /** Rejects with `NoCarrierError` when there is none, and with another error when it does not say hello. */
  static async open(path: string, listener: ClientListener): Promise<ControlClient> {
    const socket = await reach(path);
    const { promise, resolve, reject } = Promise.withResolvers<ControlClient>();
    const late = setTimeout(() => reject(new Error('the carrier does not say hello')), HELLO_WITHIN_MS);
    const broken = () => reject(new NoCarrierError('the carrier ended without saying hello'));
    let client: ControlClient | undefined;
    socket.once('close', broken);
    readLines(socket, (value) => {
      if (client !== undefined) return client.#receive(value);
      const problem = HELLO.problem(value, 'hello');
      if (problem !== undefined) return reject(new Error(`the carrier does not say hello: ${problem}`));
      client = new ControlClient(socket, (value as { hello: Hello }).hello, listener);
      resolve(client);
    });
    try {
      return await promise;
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(late);
      socket.off('close', broken);
    }
  }

  /** Rejects with `CarrierRefusal` when the carrier says no, and with `NoCarrierError` when it ends before it answers. */
  ask<N extends CommandName>(command: N, facts: Command<N>): Promise<Answer<N>> {
    if (this.#isClosed) return Promise.reject(new NoCarrierError('the carrier has ended'));
    const id = ++this.#last_id;
    const { promise, resolve, reject } = Promise.withResolvers<Answer<N>>();
    this.#pending.set(id, { command, resolve: resolve as Pending['resolve'], reject });
    const late = setTimeout(() => reject(new Error(`the carrier does not answer "${command}"`)), ANSWER_WITHIN_MS);
    writeLine(this.#socket, { id, command, with: facts });
    return promise.finally(() => {
      clearTimeout(late);
      this.#pending.delete(id);
    });
  }

  /** At once, if it is already. */
  whenClosed(then: () => void): void {
    if (this.#socket.destroyed) then();
    else this.#socket.once('close', then);
  }

  /** The carrier goes on. */
  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #end(): void {
    const wasClosed = this.#isClosed;
    this.#isClosed = true;
    for (const { reject } of this.#pending.values()) reject(new NoCarrierError('the carrier ended without an answer'));
    if (!wasClosed) this.#listener.ended();
  }

  #receive(value: unknown): void {
    const line = value as { id?: unknown; answer?: unknown; error?: unknown; event?: unknown; with?: unknown } | null;
    const pending = typeof line?.id === 'number' ? this.#pending.get(line.id) : undefined;
    if (typeof line?.event === 'string') this.#report(line.event, line.with);
    else if (pending === undefined)
      return; // the answer to what was given up
    else if (typeof line?.error === 'string') pending.reject(new CarrierRefusal(line.error));
    else {
      const problem = ANSWERS[pending.command].problem(line?.answer, pending.command);
      if (problem === undefined) pending.resolve(line?.answer as never);
      else pending.reject(new Error(`the carrier answered with something else: ${problem}`));
    }
  }

  #report(event: string, facts: unknown): void {
    const shape = Object.hasOwn(EVENTS, event) ? EVENTS[event as EventName] : undefined;
    if (shape?.problem(facts, event) === undefined && shape !== undefined) {
      this.#listener.reported(event as EventName, facts as never);
    } else this.#socket.destroy(); // it speaks something else
  }
}

function reach(path: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(path);
  const failed = (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
    reject(isMissing ? new NoCarrierError(`no carrier answers at ${path}`, { cause: error }) : error);
  };
  socket.once('error', failed);
  socket.once('connect', () => {
    socket.off('error', failed);
    socket.on('error', () => undefined); // `close` follows
    resolve(socket);
  });
  return promise;
}
