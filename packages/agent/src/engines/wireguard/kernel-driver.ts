import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, type RunCommand, runCommand } from '../../host/run-command.ts';
import { type Change, type Driver, PortTakenError, type Reading } from './driver.ts';
import { checkChange } from './values.ts';
import { readDump, writeConfiguration } from './wg-text.ts';

interface KernelOptions {
  readonly interface: string;
  /** A folder that only we may read: a change with the private key passes through a file in it. */
  readonly run_folder: string;
  readonly run?: RunCommand | undefined;
}

/** The second is how `wg` says it when no interface ever was WireGuard's, and its module is not even loaded. */
const NO_INTERFACE = /No such device|Protocol not supported/;
/** Ours: some 25 KB of arguments, a fifth of what the kernel takes. */
const REMOVED_AT_A_TIME = 500;
/** Each is named twice. */
const NUDGED_AT_A_TIME = 200;

/** Changes that were cut short with the agent. They may hold the private key. */
export async function sweepConfigurations(run_folder: string, name: string): Promise<void> {
  const left = (await readdir(run_folder)).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.conf'));
  for (const file of left) await rm(join(run_folder, file), { force: true });
}

/** WireGuard of the kernel, by the programs `ip` and `wg`. */
export class KernelDriver implements Driver {
  readonly #interface: string;
  readonly #run_folder: string;
  readonly #run: RunCommand;

  constructor({ interface: name, run_folder, run = runCommand }: KernelOptions) {
    this.#interface = name;
    this.#run_folder = run_folder;
    this.#run = run;
  }

  async ensure(): Promise<void> {
    if ((await this.read()) !== null) return;
    await this.#run('ip', ['link', 'add', 'dev', this.#interface, 'type', 'wireguard']);
  }

  async read(only?: ReadonlySet<string>): Promise<Reading | null> {
    try {
      return readDump(await this.#run('wg', ['show', this.#interface, 'dump']), only);
    } catch (error) {
      if (error instanceof CommandError && NO_INTERFACE.test(error.stderr)) return null;
      throw error;
    }
  }

  async apply(change: Change): Promise<void> {
    checkChange(change);
    const configuration = writeConfiguration(change);
    if (configuration !== undefined) await this.#add(configuration);
    for (let from = 0; from < change.remove.length; from += REMOVED_AT_A_TIME) {
      const keys = change.remove.slice(from, from + REMOVED_AT_A_TIME);
      await this.#run('wg', ['set', this.#interface, ...keys.flatMap((key) => ['peer', key, 'remove'])]);
    }
    if (change.port !== undefined) await this.#listen(change.port);
  }

  /** WireGuard sends a keepalive at once when it is switched on. `wg` passes a peer that is named twice on twice, in order. */
  async nudge(keys: readonly string[], keepalive_s: number, rests = (_: string) => false): Promise<void> {
    for (let from = 0; from < keys.length; from += NUDGED_AT_A_TIME) {
      const some = keys.slice(from, from + NUDGED_AT_A_TIME);
      const args = some.flatMap((key) =>
        [0, keepalive_s, ...(rests(key) ? [0] : [])].flatMap((seconds) => keepaliveArgs(key, seconds)),
      );
      await this.#run('wg', ['set', this.#interface, ...args]);
    }
  }

  async remove(): Promise<void> {
    try {
      await this.#run('ip', ['link', 'del', 'dev', this.#interface]);
    } catch (error) {
      if (!(error instanceof CommandError && error.stderr.includes('Cannot find device'))) throw error;
    }
  }

  /** By a file: standard input is a socket here, which `wg` cannot open by name, and arguments are in the process list. */
  async #add(configuration: string): Promise<void> {
    const file = join(this.#run_folder, `${this.#interface}-${randomUUID()}.conf`);
    try {
      await writeFile(file, configuration, { mode: 0o600, flag: 'wx' });
      await this.#run('wg', ['addconf', this.#interface, file]);
    } finally {
      await rm(file, { force: true });
    }
  }

  async #listen(port: number): Promise<void> {
    try {
      await this.#run('wg', ['set', this.#interface, 'listen-port', String(port)]);
    } catch (error) {
      const taken = error instanceof CommandError && error.stderr.includes('Address already in use');
      throw taken ? new PortTakenError(port) : error;
    }
  }
}

function keepaliveArgs(key: string, seconds: number): string[] {
  return ['peer', key, 'persistent-keepalive', String(seconds)];
}
