import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { readBytes, replaceFile, sweepDrafts } from '../replace-file.ts';
import type { HostName, HostNames } from './host-names.ts';
import { type HostsText, joinHosts, namesOutside, splitHosts } from './hosts-text.ts';

/** Names that mean this host wherever they are looked up, also when no line says so. */
const OWN_NAMES = ['localhost', 'localhost.localdomain', 'localhost4', 'localhost6', 'ip6-localhost', 'ip6-loopback'];

interface HostsFileOptions {
  readonly path?: string | undefined;
  readonly host?: string | undefined;
  /** Names that the node must resolve outside of the mesh: a node of the mesh must not take them over. */
  readonly outside?: readonly string[] | undefined;
}

/**
 * Names of the mesh in `/etc/hosts`: each node as `name.mesh`, and as `name` alone where that means nothing else here. A
 * node must not become what this host knows already, be it called `localhost` or as another machine of the network.
 */
export class HostsFile implements HostNames {
  readonly path: string;
  readonly #reserved: readonly string[];
  readonly #outside: ReadonlySet<string>;
  #wanted: readonly HostName[] | undefined;
  #swept = false;

  constructor({ path = '/etc/hosts', host = hostname(), outside = [] }: HostsFileOptions = {}) {
    this.path = path;
    this.#outside = new Set(outside.map((name) => name.toLowerCase()));
    this.#reserved = [...OWN_NAMES, host.toLowerCase(), host.toLowerCase().split('.', 1)[0] ?? '', ...this.#outside];
  }

  async apply(names: readonly HostName[]): Promise<void> {
    for (const name of names) assertSound(name);
    this.#wanted = names;
    await this.#write((text) => this.#lines(names, text));
  }

  async drift(): Promise<string | null> {
    if (this.#wanted === undefined) return null;
    const text = await readBytes(this.path);
    const found = splitHosts(text);
    const lines = this.#lines(this.#wanted, found);
    if (joinHosts(found, lines) === text) return null;
    return found.block === ''
      ? `the names of the mesh are not in ${this.path}`
      : `${this.path} has other names of the mesh`;
  }

  async remove(): Promise<void> {
    await this.#write(() => []);
    this.#wanted = undefined;
  }

  /** Nothing is written when nothing changes: others watch this file. */
  async #write(linesFor: (text: HostsText) => readonly string[]): Promise<void> {
    if (!this.#swept) await sweepDrafts(this.path); // of an agent before this one
    this.#swept = true;
    const text = await readBytes(this.path);
    const found = splitHosts(text);
    const changed = joinHosts(found, linesFor(found));
    if (changed !== text) await replaceFile(this.path, changed);
  }

  #lines(names: readonly HostName[], text: HostsText): readonly string[] {
    const taken = new Set([...this.#reserved, ...namesOutside(text)]);
    const lineOf = (name: string) => (taken.has(name) ? `${name}.mesh` : `${name}.mesh ${name}`);
    return names
      .filter(({ name }) => !this.#outside.has(`${name}.mesh`))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap(({ name, addresses }) => addresses.map((address) => `${address} ${lineOf(name)}`));
  }
}

/** The last line of defence: they are written into a file that every program on the host believes. */
function assertSound({ name, addresses }: HostName): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name))
    throw new Error(`${JSON.stringify(name)} is no name for a host.`);
  for (const address of addresses) {
    if (isIP(address) === 0 || address.includes('%'))
      throw new Error(`${JSON.stringify(address)} is no address of a host.`);
  }
}
