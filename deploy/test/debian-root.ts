/**
 * A minimal Debian in a folder, made by mmdebstrap from the machine's own package sources, and commands run in it.
 * Everything runs in mount and PID namespaces of its own: when a command ends, or we do, no process and no mount is left.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const APART = ['--mount', '--pid', '--fork', '--kill-child'] as const;
export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/**
 * The root is mounted on itself: only then can programs in it have mount namespaces of their own.
 * Arguments: the root, the npm cache outside, the folder to be in, then the environment and the command.
 */
const ENTER = `
mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --bind "$2" "$1/root/.npm" || exit 125
root=$1 folder=$3
shift 3
exec chroot "$root" /bin/sh -c 'cd "$1" && shift && exec env -i "$@"' sh "$folder" "$@"
`;
const PREFIX = 'meshwork-root-';
const STREAMS: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
/** What is not needed to run anything is not unpacked, and a root that is thrown away need not be safe on disk. */
const LEAN = [
  '--aptopt=Acquire::Languages "none"',
  '--dpkgopt=force-unsafe-io',
  ...['doc', 'man', 'locale', 'info'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`),
];

interface RootSpec {
  readonly packages: readonly string[];
  /** The folder that an npm in the root has as its cache. */
  readonly npmCache: string;
}

export interface RootCommand {
  readonly argv: readonly string[];
  /** Absolute, inside the root. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly code: number | null;
  /** Both streams, in the order of their arrival. */
  readonly output: string;
}

export class DebianRoot implements AsyncDisposable {
  readonly #path: string;
  readonly #npmCache: string;

  private constructor(path: string, npmCache: string) {
    this.#path = path;
    this.#npmCache = npmCache;
  }

  /** With Debian's essential packages and apt, and the packages that are named. */
  static async make({ packages, npmCache }: RootSpec): Promise<DebianRoot> {
    await removeAbandoned();
    const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    const root = new DebianRoot(join(folder, 'root'), npmCache);
    try {
      const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
      const making = ['mmdebstrap', '--mode=root', '--variant=minbase', ...LEAN, ...include];
      const command = [...APART, ...making, codename(), root.#path, ...sources()];
      const { code, output } = await ended(spawn('unshare', command, { stdio: STREAMS }));
      if (code !== 0) throw new Error(`mmdebstrap ended with ${code}:\n${output}`);
      for (const file of ['/etc/resolv.conf', '/etc/hosts']) if (existsSync(file)) root.#bring(file);
      mkdirSync(root.outside('/root/.npm'), { recursive: true });
      mkdirSync(npmCache, { recursive: true });
      return root;
    } catch (error) {
      await root[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Where a path of the root is for us. */
  outside(path: string): string {
    return join(this.#path, path);
  }

  run(command: RootCommand): Promise<Outcome> {
    return ended(this.#spawn(command));
  }

  start(command: RootCommand): RunningCommand {
    return new RunningCommand(this.#spawn(command));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(dirname(this.#path), { recursive: true, force: true });
  }

  #bring(file: string): void {
    mkdirSync(dirname(this.outside(file)), { recursive: true });
    copyFileSync(file, this.outside(file));
  }

  #spawn({ argv, cwd, env = {} }: RootCommand): ChildProcess {
    const settings = Object.entries({ HOME: '/root', PATH, ...env }).map(([name, value]) => `${name}=${value}`);
    const args = ['sh', '-c', ENTER, 'sh', this.#path, this.#npmCache, cwd, ...settings, ...argv];
    return spawn('unshare', [...APART, ...args], { stdio: STREAMS });
  }
}

/** A command that goes on until it is asked to end. Disposed of, it is ended with everything that it started. */
class RunningCommand implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Outcome>;
  #output = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = ended(child, (output) => {
      this.#output = output;
      this.#child.emit('said');
    });
  }

  /** Waits until it has printed something like this. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.#output);
        if (found !== null) resolve(found);
      };
      this.#child.on('said', look);
      this.#ended.then(({ code, output }) => {
        reject(new Error(`ended with ${code} and never said ${pattern}:\n${output}`));
      }, reject);
      look();
    });
  }

  /** Asks the command itself to end: it is the one child of `unshare`. */
  terminate(): Promise<Outcome> {
    const { pid } = this.#child;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    for (const child of children) process.kill(child, 'SIGTERM');
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

function ended(child: ChildProcess, heard: (output: string) => void = () => {}): Promise<Outcome> {
  let output = '';
  const keep = (text: string) => {
    output += text;
    heard(output);
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** A run that was killed could not remove its root. The folder's name says which process made it. */
async function removeAbandoned(): Promise<void> {
  for (const folder of globSync(join(tmpdir(), `${PREFIX}*`))) {
    const [, pid = ''] = /-(\d+)-[^-]*$/.exec(folder) ?? [];
    if (!existsSync(`/proc/${pid}`)) await rm(folder, { recursive: true, force: true });
  }
}

/** The release that this machine's own package sources are for. */
function codename(): string {
  const [, name] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  if (name === undefined) throw new Error('/etc/os-release has no VERSION_CODENAME');
  return name;
}

function sources(): readonly string[] {
  const found = globSync(['/etc/apt/sources.list', '/etc/apt/sources.list.d/*.{list,sources}']);
  if (found.length === 0) throw new Error('there are no package sources in /etc/apt');
  return found.sort();
}
