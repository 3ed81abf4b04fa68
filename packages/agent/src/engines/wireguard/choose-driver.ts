import { access } from 'node:fs/promises';
import { CommandError, type RunCommand, runCommand } from '../../host/run-command.ts';
import type { Driver } from './driver.ts';
import { KernelDriver } from './kernel-driver.ts';
import { UserspaceDriver } from './userspace-driver.ts';
import type { WireguardGoOptions } from './wireguard-go.ts';

interface ChoiceOptions extends WireguardGoOptions {
  readonly run?: RunCommand | undefined;
  /** Absent: `/dev/net/tun`. */
  readonly tun_device?: string | undefined;
}

/** There is neither. So there is no interface of ours either. */
export class NoWireguardError extends Error {
  override readonly name = 'NoWireguardError';
}

type Engine = 'kernel' | 'userspace';

interface Chosen {
  readonly engine: Engine;
  readonly driver: Driver;
}

/**
 * The kernel's WireGuard if there is one, else `wireguard-go`. An interface that is there already stays with the engine
 * that it has: its sessions are worth more than a better engine. Rejects with what is missing and how to get it.
 */
export async function chooseDriver({ tun_device = '/dev/net/tun', ...options }: ChoiceOptions): Promise<Chosen> {
  const { run = runCommand } = options;
  const kernel = { engine: 'kernel', driver: new KernelDriver({ ...options, run }) } as const;
  const userspace = { engine: 'userspace', driver: new UserspaceDriver(options) } as const;

  const kind = await kindOf(options.interface, run);
  if (kind === 'wireguard') return kernel;
  const without_daemon = await missingForUserspace(tun_device, run);
  if (kind === 'tun' && without_daemon === null) return userspace;
  if (kind !== null)
    throw new Error(`there is an interface ${options.interface} already, and it is not ours (${kind})`);

  const without_kernel = await missingForKernel(options.interface, run);
  if (without_kernel === null) return kernel;
  if (without_daemon === null) return userspace;
  throw new NoWireguardError(`this host has no WireGuard: ${without_kernel}; ${without_daemon}`);
}

/**
 * What an interface is that has the name of ours and is none of WireGuard's. Null: it is ours, or there is none. Another
 * program's tun device looks like one of `wireguard-go`, except that no daemon answers for it.
 */
export async function strangerAt({ run = runCommand, ...options }: ChoiceOptions): Promise<string | null> {
  const kind = await kindOf(options.interface, run);
  if (kind === null || kind === 'wireguard') return null;
  return kind === 'tun' && (await new UserspaceDriver(options).read()) !== null ? null : kind;
}

/** Null: there is no such interface. */
async function kindOf(name: string, run: RunCommand): Promise<string | null> {
  try {
    const [link] = JSON.parse(await run('ip', ['-json', '-details', 'link', 'show', 'dev', name])) as LinkShown[];
    return link?.linkinfo?.info_kind ?? 'of no kind';
  } catch (error) {
    if (error instanceof CommandError && error.stderr.includes('does not exist')) return null;
    throw error;
  }
}

interface LinkShown {
  readonly linkinfo?: { readonly info_kind?: string };
}

/** Asks the kernel by making the interface, which the driver then finds. Null: nothing is missing. */
async function missingForKernel(name: string, run: RunCommand): Promise<string | null> {
  if (!(await isInstalled('wg', run))) return '`wg` is not installed (Debian: apt install wireguard-tools)';
  try {
    await run('ip', ['link', 'add', 'dev', name, 'type', 'wireguard']);
    return null;
  } catch (error) {
    const unknown = error instanceof CommandError && /Unknown device type|not supported/.test(error.stderr);
    if (unknown) return 'the kernel has none (Linux 5.6 or newer, with its module `wireguard`)';
    throw error;
  }
}

async function missingForUserspace(tun_device: string, run: RunCommand): Promise<string | null> {
  if (!(await isInstalled('wireguard-go', run)))
    return '`wireguard-go` is not installed (Debian: apt install wireguard-go)';
  try {
    await access(tun_device);
    return null;
  } catch {
    return `there is no ${tun_device} for \`wireguard-go\` (modprobe tun; in a container: --device ${tun_device})`;
  }
}

async function isInstalled(program: string, run: RunCommand): Promise<boolean> {
  try {
    await run(program, ['--version']);
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.exit === 'ENOENT') return false;
    throw error;
  }
}
