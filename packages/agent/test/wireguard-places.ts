import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Driver } from '../src/engines/wireguard/driver.ts';
import { KernelDriver } from '../src/engines/wireguard/kernel-driver.ts';
import { UserspaceDriver } from '../src/engines/wireguard/userspace-driver.ts';
import { newWireguardKey } from '../src/identity/keys.ts';
import type { Namespace } from './namespaces.ts';
import { until } from './namespaces.ts';

export const MESH = 'mesh0';

/** Makes a driver for the interface in a place, whose engine is not started yet or is just there. */
export type NewDriver = (place: Namespace, onLost?: () => void) => Promise<Driver>;

export const userspaceDriver: NewDriver = async (place, onLost) =>
  new UserspaceDriver({ interface: MESH, ...place, onLost });

/**
 * On an interface of `wireguard-go`, since not every kernel that tests run on has WireGuard. `wg` speaks to both alike;
 * only that the kernel makes the interface is not seen.
 */
const kernelDriver: NewDriver = async (place) => {
  const program = { command: 'wireguard-go', args: ['-f', MESH], environment: {}, log: `${place.run_folder}/log` };
  await place.start(program);
  // Not by `wg`: it takes a socket away that is there and not listened at yet, which ends a daemon that is just starting.
  const daemon = await userspaceDriver(place);
  await until('wireguard-go answers', async () => (await daemon.read()) !== null);
  return new KernelDriver({ interface: MESH, ...place });
};

export const ENGINES: readonly (readonly [string, NewDriver])[] = [
  ['wireguard-go', userspaceDriver],
  ['the kernel', kernelDriver],
];

/** A public key in base64 whose private half is gone. */
export function someKey(): string {
  return newWireguardKey().public;
}

const LISTENING = {
  udp: "require('dgram').createSocket('udp4').bind",
  tcp: "require('net').createServer().listen",
} as const;

/** Listens at a port, until it is disposed of. */
export async function takePort(
  { enter: [command = '', ...args] }: Namespace,
  port: number,
  protocol: keyof typeof LISTENING = 'udp',
): Promise<AsyncDisposable> {
  const program = `${LISTENING[protocol]}(${port}, () => console.log('bound'))`;
  const child = spawn(command, [...args, process.execPath, '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const LOSING = `table inet lost {
  counter initiations { }
  chain out { type filter hook output priority 0; udp length 156 @th,64,8 1 counter name initiations drop; }
}`;

/** Loses what would begin a handshake: of WireGuard's packets, those of the first type. Until it is disposed of. */
export async function loseInitiations({ run }: Namespace): Promise<AsyncDisposable & { count(): Promise<number> }> {
  await run('nft', ['-f', '-'], { input: LOSING });
  return {
    async count() {
      const said = await run('nft', ['list', 'counter', 'inet', 'lost', 'initiations']);
      return Number(/packets (\d+)/.exec(said)?.[1]);
    },
    async [Symbol.asyncDispose]() {
      await run('nft', ['delete', 'table', 'inet', 'lost']);
    },
  };
}
