import { constants, openSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isCode } from '../../host/atomic-file.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import { type StartDaemon, startDaemon } from '../../host/start-daemon.ts';
import type { RelayFolder } from './relay-folder.ts';
import { RELAY_FILES } from './turn-config.ts';
import type { TurnLog } from './turn-log.ts';

interface TurnProcessOptions {
  readonly folder: RelayFolder;
  readonly log: TurnLog;
  /** It ended without being asked to. */
  readonly lost: () => void;
  readonly start?: StartDaemon | undefined;
  readonly run?: RunCommand | undefined;
}

const COMMAND = 'turnserver';
const POLL_MS = 20;
/** Ours: it ends within moments, and when it does not it is ended by force. */
const END_WITHIN_MS = 3000;
/**
 * coturn itself holds the reading end of its log open too. So it never writes to a pipe that no process reads, and what it says
 * while no agent runs is dropped when the pipe is full. Nothing of it is ever on disk.
 */
const LOG_FLAGS = constants.O_RDWR | constants.O_NONBLOCK;

/**
 * The coturn process with our configuration. It is not bound to ours: it goes on when the agent is killed, and the next agent
 * takes it over with all its allocations. The end of its log is the end of it, also when it is not our child.
 */
export class TurnProcess {
  readonly #options: TurnProcessOptions;
  #pid: number | undefined;
  #reading: Socket | undefined;

  constructor(options: TurnProcessOptions) {
    this.#options = options;
  }

  get #args(): readonly string[] {
    return ['-c', this.#options.folder.file(RELAY_FILES.config)];
  }

  /** Undefined: it does not run. */
  async pid(): Promise<number | undefined> {
    if (this.#pid !== undefined && (await this.#isOurs(this.#pid))) return this.#pid;
    this.#pid = undefined;
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name) || !(await this.#isOurs(Number(name)))) continue;
      this.#pid = Number(name);
      break;
    }
    return this.#pid;
  }

  /** Takes over one that an agent before this one started. False: there is none. */
  async adopt(): Promise<boolean> {
    if ((await this.pid()) === undefined) return false;
    if (this.#reading === undefined) this.#read();
    return true;
  }

  /** None may run. */
  async start(): Promise<void> {
    const { folder, log, start = startDaemon, run = runCommand } = this.#options;
    const file = folder.file(RELAY_FILES.log);
    this.#reading?.destroy();
    await rm(file, { force: true });
    await run('mkfifo', ['-m', '600', file]);
    log.begin();
    const child = await start({ command: COMMAND, args: this.#args, environment: {}, log: file, flags: LOG_FLAGS });
    this.#pid = child.pid;
    this.#read();
  }

  /** Reads its certificate again. */
  async reload(): Promise<void> {
    const pid = await this.pid();
    if (pid !== undefined) process.kill(pid, 'SIGUSR2');
  }

  async end(): Promise<void> {
    const reading = this.#reading;
    this.#reading = undefined;
    const by = performance.now() + END_WITHIN_MS;
    for (let pid = await this.pid(); pid !== undefined; pid = await this.pid()) {
      signal(pid, performance.now() < by ? 'SIGTERM' : 'SIGKILL');
      await pause(POLL_MS);
    }
    reading?.destroy();
  }

  async #isOurs(pid: number): Promise<boolean> {
    try {
      const [command = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
      return command.endsWith(COMMAND) && args.join('\0') === `${this.#args.join('\0')}\0`;
    } catch (error) {
      if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return false; // it has ended
      throw error;
    }
  }

  #read(): void {
    const { folder, log, lost } = this.#options;
    const fd = openSync(folder.file(RELAY_FILES.log), constants.O_RDONLY | constants.O_NONBLOCK);
    const reading = new Socket({ fd, readable: true, writable: false }).unref();
    this.#reading = reading;
    reading.setEncoding('utf8');
    reading.on('data', (text: string) => log.take(text));
    reading.on('error', () => undefined); // `close` follows
    reading.once('close', () => {
      if (this.#reading !== reading) return;
      this.#reading = undefined;
      lost();
    });
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return; // it has just ended
    if (!isCode(error, 'EPERM')) throw error;
    throw new Error(`coturn (process ${pid}) cannot be ended: the agent needs CAP_KILL for that`, { cause: error });
  }
}
