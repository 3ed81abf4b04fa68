import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { open as openFile, readFile } from 'node:fs/promises';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { isCode } from '../../host/atomic-file.ts';
import { codeOf, type Lack, missingProgram } from '../../host/lack.ts';
import { shortVersion, versionOf } from '../../host/program-version.ts';
import { CommandError, type RunCommand, runCommand } from '../../host/run-command.ts';
import { StateError } from '../../host/state-error.ts';
import type { Engine, LackOptions } from '../engine.ts';
import { chooseDriver, NoWireguardError, strangerAt } from './choose-driver.ts';
import { sweepConfigurations } from './kernel-driver.ts';
import { TRAITS, TunnelEngine } from './tunnel-engine.ts';
import { WireguardTunnel } from './wireguard-tunnel.ts';

/** The interface of the mesh and its peers, by the kernel's WireGuard or by `wireguard-go`. */
export const wireguard: Engine = {
  ...TRAITS,
  async lacks(options) {
    const { run } = options;
    const lacks = await Promise.all([
      missingProgram(run, { command: 'wg', version: '--version', package: 'wireguard-tools' }),
      missingWireguard(run),
      takenPort(options),
    ]);
    return lacks.filter((lack) => lack !== undefined);
  },

  /** Nothing is changed yet, except that a kernel with WireGuard makes an interface, which is down. */
  async open({ folder: run_folder, lost, ...host }) {
    await sweepConfigurations(run_folder, MESH_INTERFACE);
    const onLost = () => lost(TRAITS, 'WireGuard had ended');
    const { driver, engine } = await chooseDriver({ interface: MESH_INTERFACE, run_folder, onLost });
    const tunnel = new WireguardTunnel({ driver, now: host.now });
    return new TunnelEngine({ ...host, tunnel, implementation: engine, version: () => wireguardVersion(engine) });
  },

  /** An interface of another program that has its name is a reason to touch nothing. */
  async mayRemove(run_folder) {
    const stranger = await strangerAt({ interface: MESH_INTERFACE, run_folder });
    if (stranger === null) return;
    const message = `there is an interface ${MESH_INTERFACE} that no agent made (${stranger}), and nothing was touched: rename it or take it away first`;
    throw new StateError('unfit', message);
  },

  /** Without WireGuard there is nothing to remove: its interface went with it. */
  async remove(run_folder) {
    await sweepConfigurations(run_folder, MESH_INTERFACE);
    try {
      const { driver } = await chooseDriver({ interface: MESH_INTERFACE, run_folder });
      await driver.remove();
    } catch (error) {
      if (!(error instanceof NoWireguardError)) throw error;
    }
  },
};

/** WireGuard has no version of its own in the kernel; its module says one, where it is a module. */
export async function wireguardVersion(engine: 'kernel' | 'userspace', run: RunCommand = runCommand): Promise<string> {
  if (engine === 'userspace') return await versionOf(run, 'wireguard-go', ['--version']);
  const release = await readFile('/proc/sys/kernel/osrelease', 'utf8');
  const version = await readFile('/sys/module/wireguard/version', 'utf8').catch(() => '');
  return shortVersion(`kernel ${release.trim()}${version === '' ? '' : ` (wireguard ${version.trim()})`}`);
}

/** Of the kernel, or the one that runs beside it over `/dev/net/tun`. */
async function missingWireguard(run: RunCommand): Promise<Lack | undefined> {
  if (await kernelHasWireguard(run)) return undefined;
  const program = await missingProgram(run, {
    command: 'wireguard-go',
    version: '--version',
    package: 'wireguard-go',
  });
  if (program !== undefined) return { ...program, what: `the kernel has no WireGuard, and ${program.what}` };
  try {
    await (await openFile('/dev/net/tun', 'r+')).close();
    return undefined;
  } catch (error) {
    const fix = 'modprobe tun; in a container, --device /dev/net/tun';
    return { what: `the kernel has no WireGuard, and /dev/net/tun cannot be opened (${codeOf(error)})`, fix };
  }
}

/** Only trying says so: the module may be built in, or be loaded by this very question. */
async function kernelHasWireguard(run: RunCommand): Promise<boolean> {
  const probe = `meshp${process.pid}`;
  try {
    await run('ip', ['link', 'add', 'dev', probe, 'type', 'wireguard']);
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
  await run('ip', ['link', 'delete', 'dev', probe]);
  return true;
}

/** When the interface of the mesh is there and has the port, it is our own of an earlier start. */
async function takenPort({ wireguard_port: port, run }: LackOptions): Promise<Lack | undefined> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, exclusive: true });
    await once(socket, 'listening');
    return undefined;
  } catch (error) {
    if (isCode(error, 'EADDRINUSE') && (await portOf(run, MESH_INTERFACE)) === port) return undefined;
    const what = `UDP port ${port}, for WireGuard, cannot be had (${codeOf(error)})`;
    return { what, fix: `\`ss -ulpn 'sport = :${port}'\` shows who has it; or set MESH_WIREGUARD_PORT to another one` };
  } finally {
    socket.close();
  }
}

async function portOf(run: RunCommand, name: string): Promise<number | undefined> {
  try {
    return Number(await run('wg', ['show', name, 'listen-port']));
  } catch (error) {
    if (error instanceof CommandError) return undefined; // there is no such interface
    throw error;
  }
}
