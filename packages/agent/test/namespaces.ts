import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunCommand, runCommand } from '../src/host/run-command.ts';
import { type StartDaemon, startDaemon } from '../src/host/start-daemon.ts';

const SOCKET_FOLDER = '/var/run/wireguard';
/** For what hangs: whatever holds at all does so much sooner, also on a busy machine. */
const DEADLINE_MS = 60_000;
const POLL_MS = 20;

/**
 * A host of its own: network, interfaces, and a private place for the sockets of WireGuard's daemons, which namespaces of
 * the network would otherwise share. One process holds it open; everything else enters at that process.
 */
export interface Namespace extends AsyncDisposable {
  readonly name: string;
  /** What goes before a command that runs in it. */
  readonly enter: readonly string[];
  readonly run: RunCommand;
  readonly start: StartDaemon;
  /** Commands of `ip`, one after the other. */
  ip(...commands: readonly string[]): Promise<void>;
  /** A program that runs until it ends or the namespace does, with its input and output in our hands. */
  spawn(command: string, args: readonly string[]): ChildProcess;
  /** A program for node, as text. */
  script(text: string): ChildProcess;
  /** Where the socket of a daemon in it is found from outside. */
  readonly socket_folder: string;
  /** Private to the namespace, and removed with it. */
  readonly run_folder: string;
  /** The process that holds it open. */
  readonly pid: number;
}

export async function namespace(role = ''): Promise<Namespace> {
  const name = `ns${process.pid}${role}${randomBytes(3).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const [socket_folder, run_folder] = [join(folder, 'sockets'), join(folder, 'run')];
  for (const path of [socket_folder, run_folder, SOCKET_FOLDER]) await mkdir(path, { recursive: true });
  await chmod(run_folder, 0o700);
  await runCommand('ip', ['netns', 'add', name]);
  const holder = spawn('ip', ['netns', 'exec', name, 'sleep', 'infinity'], { stdio: 'ignore' });
  const ended = once(holder, 'exit');
  const { pid = 0 } = holder;
  const enter = ['nsenter', `--target=${pid}`, '--net', '--mount', '--'] as const;
  const run: RunCommand = (command, args, options) =>
    runCommand(enter[0], [...enter.slice(1), command, ...args], options);
  const start: StartDaemon = ({ command, args, ...rest }) =>
    startDaemon({ command: enter[0], args: [...enter.slice(1), command, ...args], ...rest });
  const ip: Namespace['ip'] = async (...commands) => {
    await run('ip', ['-batch', '-'], { input: `${commands.join('\n')}\n` });
  };
  const begin: Namespace['spawn'] = (command, args) =>
    spawn(enter[0], [...enter.slice(1), command, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const script: Namespace['script'] = (text) => begin(process.execPath, ['--input-type=module', '-e', text]);

  async function dispose(): Promise<void> {
    await endAllIn(name);
    holder.kill('SIGKILL');
    await ended;
    await runCommand('ip', ['netns', 'del', name]);
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await until('the namespace is held', async () => (await commandOf(pid)) === 'sleep');
    await run('mount', ['--bind', socket_folder, SOCKET_FOLDER]);
    await ip('link set lo up');
  } catch (error) {
    await dispose();
    throw error;
  }
  const programs = { run, start, ip, spawn: begin, script };
  return { name, enter, ...programs, socket_folder, run_folder, pid, [Symbol.asyncDispose]: dispose };
}

/** A cable between two of them, each end with the address (and prefix) that is given. */
export async function cable(one: Namespace, other: Namespace, addresses: readonly [string, string]): Promise<void> {
  const link = `c${randomBytes(4).toString('hex')}`;
  await one.run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', link, 'netns', String(other.pid)]);
  for (const [place, address] of [[one, addresses[0]] as const, [other, addresses[1]] as const]) {
    await place.run('ip', ['address', 'add', address, 'dev', link]);
    await place.run('ip', ['link', 'set', 'dev', link, 'up']);
  }
}

/** A wire between two of them, each end with a name of its own, and neither up yet. */
export async function wire(
  one: Namespace,
  other: Namespace,
  [name, otherName]: readonly [string, string] = ['mesh0', 'mesh0'],
): Promise<void> {
  await one.ip(`link add ${name} type veth peer name ${otherName} netns ${other.pid}`);
}

/** Polls until it holds. Rejects after a deadline, with what was waited for and the last error there was. */
export async function until(what: string, holds: () => Promise<boolean>, deadline_ms = DEADLINE_MS): Promise<void> {
  const deadline = performance.now() + deadline_ms;
  let cause: unknown;
  while (performance.now() < deadline) {
    try {
      if (await holds()) return;
    } catch (error) {
      cause = error;
    }
    await pause(POLL_MS);
  }
  throw new Error(`waited in vain until ${what}`, { cause });
}

/** Also daemons that outlived their parent: they are found by their namespace. */
async function endAllIn(name: string): Promise<void> {
  await until(`nothing runs in ${name}`, async () => {
    const pids = await pidsIn(name);
    for (const pid of pids) endProcess(pid);
    return pids.length === 0;
  });
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it ended by itself
  }
}

async function commandOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
}

/** The processes of a program in a namespace. */
export async function processesIn({ name }: Namespace, program: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await pidsIn(name)) {
    const command = await commandOf(pid).catch(() => undefined); // it may just have ended
    if (command === program) found.push(pid);
  }
  return found;
}

async function pidsIn(name: string): Promise<number[]> {
  const listed = await runCommand('ip', ['netns', 'pids', name]);
  return listed.split('\n').filter(Boolean).map(Number);
}
