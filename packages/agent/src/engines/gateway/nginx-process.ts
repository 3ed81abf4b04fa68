import { constants, openSync } from 'node:fs';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isCode } from '../../host/atomic-file.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import { type StartDaemon, startDaemon } from '../../host/start-daemon.ts';
import { GATEWAY_FILES, GATEWAY_FOLDERS } from './gateway-files.ts';
import type { GatewayFolder } from './gateway-folder.ts';
import type { NginxLog } from './nginx-log.ts';

interface NginxProcessOptions {
  readonly folder: GatewayFolder;
  readonly log: NginxLog;
  /** It ended without being asked to. */
  readonly lost: () => void;
  readonly start?: StartDaemon | undefined;
  readonly run?: RunCommand | undefined;
  /** Absent: `MAX_OLD_WORKERS`. */
  readonly max_old_workers?: number | undefined;
}

/** A process as the kernel lists it. */
interface Listed {
  readonly pid: number;
  readonly title: string;
  readonly parent: number;
  /** The first process of its session: our master is, and its workers are in its session. */
  readonly session: number;
  /** In ticks since the machine started. */
  readonly started: number;
}

const COMMAND = 'nginx';
const POLL_MS = 20;
/** Ours: requests that are being answered get so long, when nothing is served here any more. */
const END_WITHIN_MS = 3000;
/** Ours: workers of earlier configurations. Each takes some 15 MB, and holds connections that last. */
const MAX_OLD_WORKERS = 20;
const WORKER = 'nginx: worker process';
const OLD_WORKER = `${WORKER} is shutting down`;
/**
 * nginx itself holds the reading end of its log open too. So it never writes to a pipe that no process reads, and what it says
 * while no agent runs is dropped when the pipe is full. Nothing of it is ever on disk.
 */
const LOG_FLAGS = constants.O_RDWR | constants.O_NONBLOCK;

/**
 * nginx with our configuration. It is not bound to our process: it goes on when the agent is killed, and the next agent takes it
 * over with all its connections. Only what runs with our configuration is ever touched.
 */
export class NginxProcess {
  readonly #options: NginxProcessOptions;
  #pid: number | undefined;
  #reading: Socket | undefined;

  constructor(options: NginxProcessOptions) {
    this.#options = options;
  }

  get #args(): readonly string[] {
    const { folder } = this.#options;
    return ['-e', 'stderr', '-p', `${folder.path}/`, '-c', folder.file(GATEWAY_FILES.config)];
  }

  /** Of the master. Undefined: it does not run. */
  async pid(): Promise<number | undefined> {
    if (this.#pid !== undefined && this.#isMaster(await listed(this.#pid))) return this.#pid;
    this.#pid = (await allListed()).find((one) => this.#isMaster(one))?.pid;
    return this.#pid;
  }

  /** Whether it runs a program that is not on the disk any more: its package was upgraded. */
  async isOutdated(): Promise<boolean> {
    const pid = await this.pid();
    if (pid === undefined) return false;
    try {
      return (await readlink(`/proc/${pid}/exe`)).endsWith(' (deleted)');
    } catch (error) {
      if (['ENOENT', 'ESRCH', 'EACCES'].some((code) => isCode(error, code))) return false; // it cannot be known
      throw error;
    }
  }

  /** Those that take new connections, by number. */
  async workers(): Promise<readonly number[]> {
    const pid = await this.pid();
    return (await allListed()).flatMap((one) => (one.parent === pid && one.title === WORKER ? [one.pid] : []));
  }

  /** Takes over one that an agent before this one started. False: there is none. */
  async adopt(): Promise<boolean> {
    if ((await this.pid()) === undefined) return false;
    if (this.#reading === undefined) this.#read();
    return true;
  }

  /** None may run. Workers whose master was killed finish what they have, and leave their ports to the new one. */
  async start(): Promise<void> {
    const { folder, log, start = startDaemon, run = runCommand } = this.#options;
    await this.retireOrphans();
    const file = folder.file(GATEWAY_FILES.log);
    this.#reading?.destroy();
    this.#reading = undefined;
    await rm(file, { force: true });
    // nginx takes a socket that lies around for one in use.
    await rm(folder.file(GATEWAY_FILES.control), { force: true });
    const { sockets } = GATEWAY_FOLDERS;
    for (const name of await folder.names(sockets)) await rm(folder.file(`${sockets}/${name}`), { force: true });
    await run('mkfifo', ['-m', '600', file]);
    log.begin();
    const child = await start({ command: COMMAND, args: this.#args, environment: {}, log: file, flags: LOG_FLAGS });
    this.#pid = child.pid;
    this.#read();
    child.once('exit', () => this.#ended(child.pid));
    await this.#remember(child.pid);
  }

  /** Reads its configuration again. New workers take over, and those before them finish what they have. */
  async reload(): Promise<void> {
    const pid = await this.pid();
    this.#options.log.begin();
    if (pid !== undefined) signal(pid, 'SIGHUP');
  }

  /** Ends workers of earlier configurations of which there are too many, the oldest first. */
  async endOldest(): Promise<void> {
    const own = await this.#own();
    const old = own.filter(({ title }) => title === OLD_WORKER).sort((a, b) => a.started - b.started);
    const { max_old_workers = MAX_OLD_WORKERS } = this.#options;
    const most = Math.max(max_old_workers, own.filter(({ title }) => title === WORKER).length); // those of one reload
    for (const { pid } of old.slice(0, Math.max(0, old.length - most))) signal(pid, 'SIGTERM');
  }

  /** With all its workers. */
  async end(): Promise<void> {
    const reading = this.#reading;
    this.#reading = undefined;
    const from = performance.now();
    let sent: NodeJS.Signals | undefined;
    for (let own = await this.#own(); own.length > 0; own = await this.#own()) {
      const waited = performance.now() - from;
      const wanted = waited < END_WITHIN_MS ? 'SIGQUIT' : waited < 2 * END_WITHIN_MS ? 'SIGTERM' : 'SIGKILL';
      if (wanted !== sent) for (const { pid } of own) signal(pid, wanted);
      sent = wanted;
      await pause(POLL_MS);
    }
    reading?.destroy();
  }

  #isMaster(one: Listed | undefined): boolean {
    if (one === undefined || one.pid !== one.session) return false; // a worker is called like its master for a moment
    return one.title.replace(/^nginx: master process /, '') === [COMMAND, ...this.#args].join(' ');
  }

  /** The master and its workers, and workers that are left of masters before it. */
  async #own(): Promise<readonly Listed[]> {
    const all = await allListed();
    const started = new Set(await this.#masters());
    for (const one of all) {
      if (this.#isMaster(one)) started.add(one.pid);
      else started.delete(one.pid); // another program has its number now
    }
    return all.filter(({ session, title }) => started.has(session) && title.startsWith('nginx'));
  }

  /** Has workers whose master was killed leave their ports to the next one, and finish what they have. */
  async retireOrphans(): Promise<void> {
    const isOrphan = ({ title }: Listed) => title === WORKER;
    for (const { pid } of (await this.#own()).filter(isOrphan)) signal(pid, 'SIGQUIT');
    while ((await this.#own()).some(isOrphan)) await pause(POLL_MS);
  }

  async #masters(): Promise<readonly number[]> {
    const text = (await this.#options.folder.read(GATEWAY_FILES.masters)) ?? '';
    return text
      .split('\n')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid > 1);
  }

  async #remember(pid: number | undefined): Promise<void> {
    const sessions = new Set((await allListed()).map(({ session }) => session));
    const still = (await this.#masters()).filter((one) => sessions.has(one));
    const all = pid === undefined ? still : [...new Set([...still, pid])];
    await this.#options.folder.write(GATEWAY_FILES.masters, `${all.join('\n')}\n`);
  }

  /** The end of its log is the end of all of it, also when it is not our child. Its own end alone is known of our child. */
  #read(): void {
    const { folder, log } = this.#options;
    const fd = openSync(folder.file(GATEWAY_FILES.log), constants.O_RDONLY | constants.O_NONBLOCK);
    const reading = new Socket({ fd, readable: true, writable: false }).unref();
    this.#reading = reading;
    reading.setEncoding('utf8');
    reading.on('data', (text: string) => log.take(text));
    reading.on('error', () => undefined); // `close` follows
    reading.once('close', () => {
      if (this.#reading === reading) this.#ended(this.#pid);
    });
  }

  #ended(pid: number | undefined): void {
    if (this.#reading === undefined || this.#pid !== pid) return; // it was asked to, or another one runs
    this.#reading.destroy();
    this.#reading = undefined;
    this.#pid = undefined;
    this.#options.lost();
  }
}

async function allListed(): Promise<readonly Listed[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(numbers.map(listed))).filter((one) => one !== undefined);
}

/** Undefined: it has ended. */
async function listed(pid: number): Promise<Listed | undefined> {
  try {
    const [line, stat] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'latin1'),
      readFile(`/proc/${pid}/stat`, 'latin1'),
    ]);
    // Behind the name, which may have anything in it: state, parent, group, session; the time of its start is the 22nd of all.
    const [state, parent, , session, ...further] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    const title = line.replaceAll('\0', ' ').trimEnd();
    return { pid, title, parent: Number(parent), session: Number(session), started: Number(further[15]) };
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return; // it has just ended
    if (!isCode(error, 'EPERM')) throw error;
    throw new Error(`nginx (process ${pid}) cannot be ended: the agent needs CAP_KILL for that`, { cause: error });
  }
}
