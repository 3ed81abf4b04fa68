import pg from 'pg';
import { ask } from './ask.ts';
import { connect, disconnect, type Server } from './connect.ts';
import { pause, signalled } from './pause.ts';

/** A notification may be lost with its connection; followers then look at the latest after this time. */
const LOOK_EVERY_MS = 500;

export function channelOf({ schema }: Server): string {
  return `meshwork_${schema}`;
}

export function messagesChannelOf({ schema }: Server): string {
  return `meshwork_${schema}_messages`;
}

/** All who follow the journal or receive messages in this process: one connection listens for them all. */
export class Followers {
  readonly #server: Server;
  readonly #wakes = new Set<() => void>();
  readonly #receivers = new Set<(message: string) => void>();
  #listening: { readonly stop: AbortController; readonly stopped: Promise<void> } | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  follow(wake: () => void): () => Promise<void> {
    // A follower of its own, even when the same function follows twice.
    const follower = () => wake();
    this.#wakes.add(follower);
    this.#start();
    return () => this.#leave(() => this.#wakes.delete(follower));
  }

  receive(listener: (message: string) => void): () => Promise<void> {
    const receiver = (message: string) => listener(message);
    this.#receivers.add(receiver);
    this.#start();
    return () => this.#leave(() => this.#receivers.delete(receiver));
  }

  #start(): void {
    if (this.#listening !== undefined) return;
    const stop = new AbortController();
    this.#listening = { stop, stopped: this.#listen(stop.signal) };
  }

  async #leave(forget: () => void): Promise<void> {
    forget();
    if (this.#wakes.size + this.#receivers.size === 0) await this.close();
  }

  async close(): Promise<void> {
    this.#wakes.clear();
    this.#receivers.clear();
    const listening = this.#listening;
    this.#listening = undefined;
    listening?.stop.abort();
    await listening?.stopped;
  }

  async #listen(stop: AbortSignal): Promise<void> {
    const looking = setInterval(() => this.#wakeAll(), LOOK_EVERY_MS);
    while (!stop.aborted) {
      try {
        await this.#receive(stop);
      } catch (error) {
        this.#server.warn('listening for commits failed; looking for them meanwhile', error);
      }
      await pause(LOOK_EVERY_MS, stop);
    }
    clearInterval(looking);
  }

  /** Until the connection ends, or the signal comes. */
  async #receive(stop: AbortSignal): Promise<void> {
    const client = await connect(this.#server, 'listen');
    const ended = new AbortController();
    client.on('error', () => ended.abort());
    client.on('end', () => ended.abort());
    const messages = messagesChannelOf(this.#server);
    client.on('notification', ({ channel, payload }) => {
      if (channel === messages) this.#pass(payload ?? '');
      else this.#wakeAll();
    });
    try {
      for (const channel of [channelOf(this.#server), messages]) {
        await ask(client, `LISTEN ${pg.escapeIdentifier(channel)}`);
      }
      // Commits before the connection listened were not notified.
      this.#wakeAll();
      await signalled(AbortSignal.any([stop, ended.signal]));
    } finally {
      await disconnect(client);
    }
  }

  #pass(message: string): void {
    for (const receiver of this.#receivers) receiver(message);
  }

  #wakeAll(): void {
    for (const wake of this.#wakes) wake();
  }
}
