import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { newWireguardKey } from '@meshwork/agent';
import type { LabNode } from '@meshwork/lab';
import { until } from './until.ts';

export const RAW_INTERFACE = 'wg0';
/** Of WireGuard, with the agent and without. */
export const PORT = 51_820;

const FILTER = `table inet plain {
  chain input {
    type filter hook input priority filter; policy accept;
    ct state established,related accept
    iifname "${RAW_INTERFACE}" meta l4proto { tcp, icmp } accept
    iifname "${RAW_INTERFACE}" drop
  }
}
`;

interface RawLink {
  /** Private. */
  readonly key: string;
  readonly address: string;
  readonly mtu: number;
  /** `at`: outside of the tunnel. */
  readonly peer: { readonly key: string; readonly address: string; readonly at: string };
}

/** WireGuard set up by hand, on a host of a lab without an agent. */
export class RawWireguard implements AsyncDisposable {
  readonly place: LabNode;
  readonly #daemon: ChildProcess;

  private constructor(place: LabNode, daemon: ChildProcess) {
    this.place = place;
    this.#daemon = daemon;
  }

  /** The engine alone: no key, no address, and down. */
  static async start(place: LabNode): Promise<RawWireguard> {
    const env = { PATH: process.env.PATH, LOG_LEVEL: 'error' };
    const daemon = place.spawn('wireguard-go', ['-f', RAW_INTERFACE], { env, stdio: 'ignore', detached: true });
    await once(daemon, 'spawn');
    const raw = new RawWireguard(place, daemon);
    const isThere = () => spawnSync('ip', ['-n', place.namespace, 'link', 'show', RAW_INTERFACE]).status === 0;
    await until(isThere, `wireguard-go in ${place.name}`);
    return raw;
  }

  /** `input`: what it reads from /dev/stdin. Ours is a socket, which `wg` cannot open a second time; a pipe it can. */
  wg(args: readonly string[], input = ''): Promise<string> {
    return this.place.exec('sh', ['-c', 'cat | wg "$@"', 'sh', ...args], { input });
  }

  /** A link to one peer, and a route to it. */
  async link({ key, address, mtu, peer }: RawLink): Promise<void> {
    const settings = ['set', RAW_INTERFACE, 'listen-port', `${PORT}`, 'private-key', '/dev/stdin'];
    const allowed = ['peer', peer.key, 'allowed-ips', `${peer.address}/32`, 'endpoint', `${peer.at}:${PORT}`];
    await this.wg([...settings, ...allowed], `${key}\n`);
    const ip = (...words: string[]) => this.place.exec('ip', words);
    await ip('address', 'add', `${address}/32`, 'dev', RAW_INTERFACE);
    await ip('link', 'set', RAW_INTERFACE, 'mtu', `${mtu}`, 'up');
    await ip('route', 'add', `${peer.address}/32`, 'dev', RAW_INTERFACE);
  }

  /** The smallest stateful filter, which accepts only replies and what it names: the kernel tracks connections for it. */
  async filter(): Promise<void> {
    await this.place.exec('nft', ['-f', '-'], { input: FILTER });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#daemon.exitCode !== null || this.#daemon.signalCode !== null) return;
    const ended = once(this.#daemon, 'exit');
    this.#daemon.kill('SIGTERM');
    await ended;
  }
}

/** Two of them that know each other, with the MTU of what they are compared with. Answers with the address of the second. */
export async function rawPair(one: RawWireguard, other: RawWireguard, mtu: number): Promise<string> {
  const [a, b] = [newWireguardKey(), newWireguardKey()];
  const [from, to] = ['10.99.0.1', '10.99.0.2'] as const;
  await one.link({ key: a.private, address: from, mtu, peer: { key: b.public, address: to, at: other.place.address } });
  await other.link({ key: b.private, address: to, mtu, peer: { key: a.public, address: from, at: one.place.address } });
  return to;
}
