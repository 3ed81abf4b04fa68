import { join } from 'node:path';
import { groupsOf } from '@meshwork/addresses';
import type { Service } from '@meshwork/contract';
import { socketTable } from './socket-table.ts';

/** Something on the node takes what is sent to this port, as the kernel lists it. */
export interface Listener {
  readonly protocol: 'tcp' | 'udp';
  /** As the kernel writes it: hexadecimal, 8 digits for IPv4 and 32 for IPv6. */
  readonly address: string;
  readonly port: number;
}

/** TCP_LISTEN and, for UDP, a socket that is bound and not tied to one peer (TCP_CLOSE), in the kernel's numbers. */
const LISTENING = { tcp: '0A', udp: '07' } as const;
const TABLES = [
  ['tcp', 'tcp'],
  ['tcp', 'tcp6'],
  ['udp', 'udp'],
  ['udp', 'udp6'],
] as const;

/** All of this network namespace. */
export async function listenersOf(folder = '/proc/net'): Promise<Listener[]> {
  const lists = await Promise.all(
    TABLES.map(async ([protocol, name]) => parseListeners(protocol, await socketTable(join(folder, name)))),
  );
  return lists.flat();
}

export function parseListeners(protocol: 'tcp' | 'udp', table: string): Listener[] {
  const found: Listener[] = [];
  for (const match of table.matchAll(/^ *\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) \S+ ([0-9A-F]{2}) /gm)) {
    const [, address = '', port = '', state] = match;
    if (state === LISTENING[protocol]) found.push({ protocol, address, port: Number.parseInt(port, 16) });
  }
  return found;
}

/**
 * Says for each service whether something listens that peers can reach: on every address, or on one that the node has in
 * the mesh. What listens for the machine itself only, or on another of its networks, does not serve the mesh.
 */
export function withHealth(
  services: readonly Service[],
  listeners: readonly Listener[],
  addresses: readonly string[],
): Service[] {
  const reachable = new Set([...ANY, ...addresses.flatMap(kernelSpellings)]);
  const open = new Set(
    listeners.filter(({ address }) => reachable.has(address)).map(({ protocol, port }) => `${protocol}:${port}`),
  );
  return services.map(({ name, protocol, port }) => {
    return { name, protocol, port, health: open.has(`${protocol}:${port}`) ? 'passing' : 'failing' };
  });
}

const MAPPED = '0000000000000000FFFF0000';
const ANY = ['0'.repeat(8), '0'.repeat(32), `${MAPPED}${'0'.repeat(8)}`];

/** An address as the kernel's tables have it: each word of four bytes in the order of the machine. An IPv4 address may also be a mapped one. */
export function kernelSpellings(address: string): string[] {
  if (!address.includes(':')) {
    const word = address.split('.').map((byte) => hex(Number(byte), 2));
    const text = word.reverse().join('');
    return [text, `${MAPPED}${text}`];
  }
  const words = (groupsOf(address) ?? []).map((group) => hex(group, 4));
  const swapped = Array.from({ length: 4 }, (_, index) => {
    const bytes = (words
      .slice(index * 2, index * 2 + 2)
      .join('')
      .match(/../g) ?? []) as string[];
    return bytes.reverse().join('');
  });
  return [swapped.join('')];
}

function hex(number: number, digits: number): string {
  return number.toString(16).toUpperCase().padStart(digits, '0');
}
