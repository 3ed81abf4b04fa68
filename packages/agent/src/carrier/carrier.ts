/**
 * Relayed links, as the agent has them. The agent decides (which relay, which way, when); its *carrier*, a process of its
 * own that outlives it, moves the packets. Start reading here for the agent's side, at `carrier-process.ts` for the other.
 *
 * - `control/`: what crosses the socket between the two, and both its ends
 * - `links/`: what WireGuard sees: an address on loopback for each peer
 * - `allocations/`: what is kept on relays, and the channels through it
 * - `shared-port/`: STUN from WireGuard's own port
 * - `echo/`: questions inside the tunnel, and messages of agents to each other
 * - `tables/`: the rules of nftables that all this rests on
 */
import { EventEmitter } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type StartDaemon, startDaemon } from '../host/start-daemon.ts';
import { carrierPlaces } from './carrier-places.ts';
import { ControlClient, NoCarrierError } from './control/control-client.ts';
import {
  type Answer,
  type CarrierEvent,
  type Command,
  type CommandName,
  type EventName,
  PROTOCOL,
} from './control/messages.ts';

interface CarrierOptions {
  /** A folder that only we may read. */
  readonly run_folder: string;
  readonly start?: StartDaemon | undefined;
}

type CarrierEvents = {
  [N in EventName]: [facts: CarrierEvent<N>];
} & {
  /** It ended without being asked to. All its links are dead until `ensure`, and all that it knew is to be said again. */
  readonly lost: [];
};

/** In the sources a file beside this one; in the bundle, which is JavaScript, another one beside that. */
const SCRIPT = import.meta.url.endsWith('.ts')
  ? new URL('./carrier-process.ts', import.meta.url)
  : new URL('./carrier-process.js', import.meta.url);
/** Small where that costs no packets: docs/decisions/0061 has the figures. */
const NODE_OPTIONS = ['--max-semi-space-size=2'];
/** Ours: it takes some 100 ms, and on a small and busy machine many times that. */
const START_WITHIN_MS = 20_000;
const END_WITHIN_MS = 3000;
const POLL_MS = 20;
/** Ours: one that dies again and again is not started more often than this. */
const BETWEEN_LOSSES_MS = 1000;

export class Carrier {
  readonly events = new EventEmitter<CarrierEvents>();
  readonly #options: CarrierOptions;
  readonly #places: ReturnType<typeof carrierPlaces>;
  #client: ControlClient | undefined;
  /** Two at once would each start one, and take it from the other. */
  #ensuring: Promise<{ readonly adopted: boolean }> | undefined;
  #lost_at_ms = Number.NEGATIVE_INFINITY;

  constructor(options: CarrierOptions) {
    this.#options = options;
    this.#places = carrierPlaces(options.run_folder);
  }

  /** Makes it run and listen to us. `adopted`: it ran before, and `state` says what it does. One of another version is ended. */
  ensure(): Promise<{ readonly adopted: boolean }> {
    this.#ensuring ??= this.#ensure().finally(() => {
      this.#ensuring = undefined;
    });
    return this.#ensuring;
  }

  async #ensure(): Promise<{ readonly adopted: boolean }> {
    if (this.#client !== undefined) return { adopted: true };
    const there = await this.#reach();
    if (there?.hello.protocol === PROTOCOL && there.hello.version === this.#places.version) {
      this.#client = there;
      return { adopted: true };
    }
    if (there !== undefined) await this.#end(there);
    this.#client = await this.#start();
    return { adopted: false };
  }

  /** Rejects with `CarrierRefusal` when it says no, and with `NoCarrierError` when there is none. */
  async ask<N extends CommandName>(command: N, facts: Command<N>): Promise<Answer<N>> {
    if (this.#client === undefined) throw new NoCarrierError('there is no carrier');
    return await this.#client.ask(command, facts);
  }

  /** Lets go of it: it goes on. */
  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }

  /** Ends it, of whatever version it is, and takes away what it left. Its tables are `deleteTables`'s. */
  async remove(): Promise<void> {
    const there = this.#client ?? (await this.#reach());
    this.#client = undefined;
    if (there !== undefined) await this.#end(there);
    const { path, pid_file, log } = this.#places;
    for (const file of [path, pid_file, log]) await rm(file, { force: true });
  }

  /** Undefined: there is none. One that hangs is ended. */
  async #reach(): Promise<ControlClient | undefined> {
    const reported = <N extends EventName>(event: N, facts: CarrierEvent<N>) =>
      void (this.events as EventEmitter).emit(event, facts);
    try {
      const client = await ControlClient.open(this.#places.path, { reported, ended: () => this.#ended(client) });
      return client;
    } catch (error) {
      if (!(error instanceof NoCarrierError)) await this.#kill();
      return undefined;
    }
  }

  #ended(client: ControlClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    const wait_ms = Math.max(0, this.#lost_at_ms + BETWEEN_LOSSES_MS - performance.now());
    this.#lost_at_ms = performance.now() + wait_ms;
    setTimeout(() => this.events.emit('lost'), wait_ms).unref();
  }

  async #start(): Promise<ControlClient> {
    const { start = startDaemon, run_folder } = this.#options;
    const child = await start({
      command: process.execPath,
      args: [...NODE_OPTIONS, SCRIPT.pathname, run_folder],
      environment: { MALLOC_ARENA_MAX: '1', LC_ALL: 'C' },
      log: this.#places.log,
    });
    const deadline = performance.now() + START_WITHIN_MS;
    while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
      const client = await this.#reach();
      if (client !== undefined) return client;
      await pause(POLL_MS);
    }
    child.kill('SIGKILL');
    throw new Error(`the carrier does not start: ${await this.#lastWords()}`);
  }

  async #end(client: ControlClient): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => resolve(false), END_WITHIN_MS);
    client.whenClosed(() => resolve(true));
    client.ask('end', {}).catch(() => undefined); // that it ends is what counts
    const hasEnded = await promise;
    clearTimeout(late);
    client.close();
    if (!hasEnded) await this.#kill();
  }

  /** Only if it is what the file says: numbers of processes are given again. */
  async #kill(): Promise<void> {
    try {
      const pid = Number(await readFile(this.#places.pid_file, 'utf8'));
      const line = await readFile(`/proc/${pid}/comm`, 'utf8');
      if (line.trim() === 'mesh-carrier') process.kill(pid, 'SIGKILL');
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOENT', 'ESRCH'].includes(code)) throw error;
    }
  }

  async #lastWords(): Promise<string> {
    const said = (await readFile(this.#places.log, 'utf8')).trim().split('\n');
    return said.findLast((line) => /error/i.test(line))?.trim() ?? 'it says nothing';
  }
}
