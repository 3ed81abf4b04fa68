import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { LastingProcess } from '../../host/lasting-process.ts';
import { allProcesses, childrenOf, type ListedProcess, POLL_MS, signalProcess } from '../../host/processes.ts';
import type { RunCommand } from '../../host/run-command.ts';
import type { StartDaemon } from '../../host/start-daemon.ts';
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

const COMMAND = 'nginx';
/** Ours: workers of earlier configurations. Each takes some 15 MB, and holds connections that last. */
const MAX_OLD_WORKERS = 20;
const WORKER = 'nginx: worker process';
const OLD_WORKER = `${WORKER} is shutting down`;

/**
 * nginx with our configuration: a master, and workers in its session. The next agent takes it over with all its connections. Only
 * what runs with our configuration is ever touched.
 */
export class NginxProcess {
  readonly #options: NginxProcessOptions;
  readonly #master: LastingProcess;
  readonly #isMaster: (one: ListedProcess) => boolean;

  constructor(options: NginxProcessOptions) {
    const { folder, log, lost, start, run } = options;
    const args = ['-e', 'stderr', '-p', `${folder.path}/`, '-c', folder.file(GATEWAY_FILES.config)];
    const line = [COMMAND, ...args].join(' ');
    this.#options = options;
    // A worker is called like its master for a moment.
    this.#isMaster = ({ pid, session, title }) =>
      pid === session && title.replace(/^nginx: master process /, '') === line;
    this.#master = new LastingProcess({
      program: COMMAND,
      command: COMMAND,
      args,
      isIt: this.#isMaster,
      log: folder.file(GATEWAY_FILES.log),
      reader: log,
      lost,
      start,
      run,
    });
  }

  /** Of the master. Undefined: it does not run. */
  pid(): Promise<number | undefined> {
    return this.#master.pid();
  }

  /** Whether its program was upgraded since it was started. */
  isOutdated(): Promise<boolean> {
    return this.#master.isOutdated();
  }

  /** Those that take new connections, by number. */
  async workers(): Promise<readonly number[]> {
    const pid = await this.pid();
    const children = pid === undefined ? [] : await childrenOf(pid);
    return children.filter(({ title }) => title === WORKER).map((one) => one.pid);
  }

  /** Takes over one that an agent before this one started. False: there is none. */
  adopt(): Promise<boolean> {
    return this.#master.adopt();
  }

  /** None may run. Workers whose master was killed finish what they have, and leave their ports to the new one. */
  async start(): Promise<void> {
    const { folder } = this.#options;
    await this.retireOrphans();
    // nginx takes a socket that lies around for one in use.
    await rm(folder.file(GATEWAY_FILES.control), { force: true });
    const { sockets } = GATEWAY_FOLDERS;
    for (const name of await folder.names(sockets)) await rm(folder.file(`${sockets}/${name}`), { force: true });
    const child = await this.#master.start();
    child.once('exit', () => this.#master.ended(child.pid)); // its workers may hold its log open
    await this.#remember(child.pid);
  }

  /** Reads its configuration again. New workers take over, and those before them finish what they have. */
  async reload(): Promise<void> {
    const pid = await this.pid();
    this.#options.log.begin();
    if (pid !== undefined) signalProcess(pid, 'SIGHUP', COMMAND);
  }

  /** Ends workers of earlier configurations of which there are too many, the oldest first. */
  async endOldest(): Promise<void> {
    const own = await this.#own();
    const old = own.filter(({ title }) => title === OLD_WORKER).sort((a, b) => a.started - b.started);
    const { max_old_workers = MAX_OLD_WORKERS } = this.#options;
    const most = Math.max(max_old_workers, own.filter(({ title }) => title === WORKER).length); // those of one reload
    for (const { pid } of old.slice(0, Math.max(0, old.length - most))) signalProcess(pid, 'SIGTERM', COMMAND);
  }

  /** With all its workers. Requests that are being answered get a moment. */
  async end(): Promise<void> {
    await this.#master.end(['SIGQUIT', 'SIGTERM', 'SIGKILL'], async () => (await this.#own()).map(({ pid }) => pid));
  }

  /** The master and its workers, and workers that are left of masters before it. */
  async #own(): Promise<readonly ListedProcess[]> {
    const all = await allProcesses();
    const started = new Set(await this.#masters());
    for (const one of all) {
      if (this.#isMaster(one)) started.add(one.pid);
      else started.delete(one.pid); // another program has its number now
    }
    return all.filter(({ session, title }) => started.has(session) && title.startsWith('nginx'));
  }

  /** Has workers whose master was killed leave their ports to the next one, and finish what they have. */
  async retireOrphans(): Promise<void> {
    const isOrphan = ({ title }: ListedProcess) => title === WORKER;
    for (const { pid } of (await this.#own()).filter(isOrphan)) signalProcess(pid, 'SIGQUIT', COMMAND);
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
    const sessions = new Set((await allProcesses()).map(({ session }) => session));
    const still = (await this.#masters()).filter((one) => sessions.has(one));
    const all = pid === undefined ? still : [...new Set([...still, pid])];
    await this.#options.folder.write(GATEWAY_FILES.masters, `${all.join('\n')}\n`);
  }
}
