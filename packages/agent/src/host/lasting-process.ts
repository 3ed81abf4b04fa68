import type { ChildProcess } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import {
  allProcesses,
  endProcesses,
  isOutdated,
  type ListedProcess,
  listedProcess,
  signalProcess,
} from './processes.ts';
import { type RunCommand, runCommand } from './run-command.ts';
import { type StartDaemon, startDaemon } from './start-daemon.ts';

interface LastingProcessOptions {
  /** In messages. */
  readonly program: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Whether it is the one: what runs with our configuration, and nothing else. */
  readonly isIt: (one: ListedProcess) => boolean;
  /** Where the pipe is that it writes its log to. */
  readonly log: string;
  /** Reads what it says. */
  readonly reader: { begin(): void; take(text: string): void };
  /** It ended without being asked to. */
  readonly lost: () => void;
  readonly start?: StartDaemon | undefined;
  readonly run?: RunCommand | undefined;
}

/**
 * The process itself holds the reading end of its log open too. So it never writes to a pipe that no process reads, and what it
 * says while no agent runs is dropped when the pipe is full. Nothing of it is ever on disk.
 */
const LOG_FLAGS = constants.O_RDWR | constants.O_NONBLOCK;

/**
 * A process that is not bound to ours: it goes on when the agent is killed, and the next agent takes it over with all that it
 * holds open. The end of its log is the end of it, also when it is not our child.
 */
export class LastingProcess {
  readonly #options: LastingProcessOptions;
  #pid: number | undefined;
  /** Absent while its end is no news. */
  #reading: Socket | undefined;

  constructor(options: LastingProcessOptions) {
    this.#options = options;
  }

  /** Undefined: it does not run. */
  async pid(): Promise<number | undefined> {
    const { isIt } = this.#options;
    const known = this.#pid === undefined ? undefined : await listedProcess(this.#pid);
    this.#pid = known !== undefined && isIt(known) ? known.pid : (await allProcesses()).find(isIt)?.pid;
    return this.#pid;
  }

  /** Whether its program was upgraded since it was started. */
  async isOutdated(): Promise<boolean> {
    const pid = await this.pid();
    return pid !== undefined && (await isOutdated(pid));
  }

  /** Takes over one that an agent before this one started. False: there is none. */
  async adopt(): Promise<boolean> {
    if ((await this.pid()) === undefined) return false;
    if (this.#reading === undefined) this.#read();
    return true;
  }

  /** None may run. */
  async start(): Promise<ChildProcess> {
    const { command, args, log, reader, start = startDaemon, run = runCommand } = this.#options;
    this.#reading?.destroy();
    this.#reading = undefined;
    await rm(log, { force: true });
    await run('mkfifo', ['-m', '600', log]);
    reader.begin();
    const child = await start({ command, args, environment: {}, log, flags: LOG_FLAGS });
    this.#pid = child.pid;
    this.#read();
    return child;
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    const pid = await this.pid();
    if (pid !== undefined) signalProcess(pid, signal, this.#options.program);
  }

  /** `left`: what has to end with it. Absent: it alone. */
  async end(signals: readonly NodeJS.Signals[], left = () => this.#alone()): Promise<void> {
    const reading = this.#reading;
    this.#reading = undefined;
    await endProcesses({ program: this.#options.program, left, signals });
    reading?.destroy();
  }

  async #alone(): Promise<readonly number[]> {
    const pid = await this.pid();
    return pid === undefined ? [] : [pid];
  }

  #read(): void {
    const { log, reader } = this.#options;
    const fd = openSync(log, constants.O_RDONLY | constants.O_NONBLOCK);
    const reading = new Socket({ fd, readable: true, writable: false }).unref();
    this.#reading = reading;
    reading.setEncoding('utf8');
    reading.on('data', (text: string) => reader.take(text));
    reading.on('error', () => undefined); // `close` follows
    reading.once('close', () => {
      if (this.#reading === reading) this.ended(this.#pid);
    });
  }

  /** This process has ended. Called too where that is known before its log ends: others may still hold that open. */
  ended(pid: number | undefined): void {
    if (this.#reading === undefined || this.#pid !== pid) return; // it was asked to, or another one runs
    this.#reading.destroy();
    this.#reading = undefined;
    this.#pid = undefined;
    this.#options.lost();
  }
}
