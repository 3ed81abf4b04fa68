/** Answers DNS for the mesh on the addresses of this node. */
import { isCode } from '../../host/atomic-file.ts';
import { messageOf } from '../../message-of.ts';
import { Listener } from './server/listener.ts';
import { NameServer } from './server/name-server.ts';
import { holdersOf } from './server/port-holder.ts';
import { Zone } from './zone/zone.ts';

const DNS_PORT = 53;
const LOOPBACK = /^(?:127\.|::1$)/;

export class MeshDns {
  readonly zone = new Zone();
  readonly server: NameServer;
  readonly #port: number;
  #wanted: readonly string[] = [];
  #listeners: readonly Listener[] = [];
  /** By address, why it does not answer there. */
  #problems: readonly string[] = [];

  constructor({ port = DNS_PORT }: { readonly port?: number } = {}) {
    this.#port = port;
    this.server = new NameServer(this.zone, { port, isOwn: (address) => this.#isOwn(address) });
  }

  /** Where it answers. */
  get addresses(): readonly string[] {
    return this.#listeners.map(({ address }) => address);
  }

  /** Why it does not answer on some address of the node. Undefined: it answers on all of them. */
  get problem(): string | undefined {
    return this.#problems.length === 0 ? undefined : this.#problems.join('; ');
  }

  /** Answers on these addresses and no others. What cannot be had now is tried again with the next call. */
  async follow(addresses: readonly string[]): Promise<void> {
    this.#wanted = addresses;
    for (const listener of this.#listeners) if (!addresses.includes(listener.address)) listener.close();
    const kept = this.#listeners.filter(({ address }) => addresses.includes(address));
    const opened: Listener[] = [];
    const problems: string[] = [];
    for (const address of addresses.filter((one) => !kept.some((listener) => listener.address === one))) {
      try {
        opened.push(await this.#listen(address));
      } catch (error) {
        problems.push(await this.#problemAt(address, error));
      }
    }
    this.#listeners = [...kept, ...opened];
    this.#problems = problems;
  }

  close(): void {
    for (const listener of this.#listeners) listener.close();
    this.#listeners = [];
  }

  #listen(address: string): Promise<Listener> {
    const isOwn = (from: string) => this.#isOwn(from);
    return Listener.open({ address, port: this.#port, server: this.server, isOwn });
  }

  /** No packet of another machine has such a source: the kernel drops it. */
  #isOwn(address: string): boolean {
    return this.#wanted.includes(address) || LOOPBACK.test(address);
  }

  async #problemAt(address: string, error: unknown): Promise<string> {
    if (!isCode(error, 'EADDRINUSE')) return `DNS cannot be served at ${address}: ${messageOf(error)}`;
    const holders = await holdersOf(this.#port);
    const by = holders.length === 0 ? 'another program' : holders.join(', ');
    return `port ${this.#port} of ${address} is taken by ${by}`;
  }
}
