import { readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type StartDaemon, startDaemon } from '../../host/start-daemon.ts';
import { ask, NoDaemonError, reach } from './uapi.ts';
import { GET } from './uapi-text.ts';

export interface WireguardGoOptions {
  readonly interface: string;
  /** A folder that only we may read: the daemon's log is kept in it. */
  readonly run_folder: string;
  /** Where the daemon has its socket. Absent: where it is built to have it. */
  readonly socket_folder?: string | undefined;
  readonly start?: StartDaemon | undefined;
  /** The daemon ended without being asked to. Its interface is gone with it. */
  readonly onLost?: (() => void) | undefined;
}

const SOCKET_FOLDER = '/var/run/wireguard';
/** Ours: starting and ending take some 20 ms each. */
const START_TIMEOUT_MS = 10_000;
/** Ours: a predecessor that is just going away may hold the interface for a little while. */
const RETRY_START_MS = 2_000;
const POLL_MS = 20;
/** Ours: a daemon that dies again and again is not started more often than this. */
const BETWEEN_LOSSES_MS = 1_000;

/**
 * One `wireguard-go` process. It is not bound to ours: it goes on when the agent is killed, and the next agent takes it
 * over with all its sessions. One connection to its socket is held open all the time: it ends at once when the daemon
 * does, also when the daemon is not our child.
 */
export class WireguardGo {
  readonly #options: WireguardGoOptions;
  readonly #socket: string;
  readonly #log: string;
  #held: Socket | undefined;
  #lost_at_ms = Number.NEGATIVE_INFINITY;

  constructor(options: WireguardGoOptions) {
    this.#options = options;
    this.#socket = join(options.socket_folder ?? SOCKET_FOLDER, `${options.interface}.sock`);
    this.#log = join(options.run_folder, `${options.interface}.log`);
  }

  /** Makes it run, if it does not yet. */
  async ensure(): Promise<void> {
    if (this.#held !== undefined || (await this.#takeOver())) return;
    const deadline = performance.now() + RETRY_START_MS;
    for (let isLast = false; !(await this.#start()); ) {
      if (isLast) throw new Error(`wireguard-go does not start: ${await this.#lastWords()}`);
      await pause(POLL_MS);
      isLast = performance.now() >= deadline; // on a busy machine the first try alone may have taken all of the time
    }
  }

  /** Rejects with `NoDaemonError` when it is not there, or goes away before it has answered. */
  ask(request: string): Promise<string> {
    return ask(this.#socket, request);
  }

  /** A daemon ends when its socket is taken away; its interface is gone when the connection is. */
  async remove(): Promise<void> {
    if (this.#held === undefined && !(await this.#takeOver())) return;
    const held = this.#held;
    this.#held = undefined;
    await rm(this.#socket, { force: true });
    if (held === undefined || held.closed) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(new Error('wireguard-go does not end')), START_TIMEOUT_MS);
    held.ref();
    held.once('close', resolve);
    await promise.finally(() => clearTimeout(late));
  }

  /** False: there is none, or none that answers any more. A socket without a daemon is left to the next one. */
  async #takeOver(): Promise<boolean> {
    try {
      await ask(this.#socket, GET);
      this.#hold(await reach(this.#socket));
      return true;
    } catch (error) {
      if (error instanceof NoDaemonError) return false;
      throw error;
    }
  }

  #hold(socket: Socket): void {
    this.#held = socket.unref();
    socket.resume(); // nothing is ever sent on it, but its end is only seen by a reader
    socket.on('error', () => undefined); // `close` follows
    socket.once('close', () => {
      if (this.#held !== socket) return;
      this.#held = undefined;
      this.#tellLoss();
    });
  }

  #tellLoss(): void {
    const { onLost } = this.#options;
    if (onLost === undefined) return;
    const wait_ms = Math.max(0, this.#lost_at_ms + BETWEEN_LOSSES_MS - performance.now());
    this.#lost_at_ms = performance.now() + wait_ms;
    setTimeout(onLost, wait_ms).unref();
  }

  /** False: it ended at once, or never answered. */
  async #start(): Promise<boolean> {
    const { start = startDaemon } = this.#options;
    const child = await start({
      command: 'wireguard-go',
      args: ['-f', this.#options.interface],
      environment: { LOG_LEVEL: 'error' },
      log: this.#log,
    });
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (child.exitCode === null && child.signalCode === null) {
      if (await this.#takeOver()) return true;
      if (performance.now() >= deadline) child.kill('SIGKILL');
      await pause(POLL_MS);
    }
    return false;
  }

  async #lastWords(): Promise<string> {
    const said = (await readFile(this.#log, 'utf8')).trimEnd().split('\n');
    return said.findLast((line) => line.startsWith('ERROR')) ?? 'it says nothing';
  }
}
