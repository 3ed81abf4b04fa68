/** The sockets of this host, as the kernel lists them. */
import { readFile } from 'node:fs/promises';
import { isCode } from '../../host/atomic-file.ts';

interface HostSocket {
  readonly port: number;
  /** `100.64.0.1:8080`. Null: it has no other side, or one of IPv6. */
  readonly remote: string | null;
  readonly listens: boolean;
  /** Whether a process has it open. Without one it is on its way out. */
  readonly held: boolean;
}

export interface HostSockets {
  readonly tcp: readonly HostSocket[];
  readonly udp: readonly HostSocket[];
}

const TCP_LISTENS = '0A';
/** Of a UDP socket that is not connected. */
const UDP_UNBOUND = '07';
/** Of a Unix socket that is connected. */
const UNIX_CONNECTED = '03';

export async function hostSockets(): Promise<HostSockets> {
  const [tcp, tcp6, udp, udp6] = await Promise.all(['tcp', 'tcp6', 'udp', 'udp6'].map(linesOf));
  const socketsIn = (lines: readonly string[], waiting: string) =>
    lines.flatMap((line) => socketIn(line, waiting) ?? []);
  return {
    tcp: [...socketsIn(tcp ?? [], TCP_LISTENS), ...socketsIn(tcp6 ?? [], TCP_LISTENS)],
    udp: [...socketsIn(udp ?? [], UDP_UNBOUND), ...socketsIn(udp6 ?? [], UDP_UNBOUND)],
  };
}

/** How many connections there are to each Unix socket, by its path. A socket keeps its path when the file is gone. */
export async function connectionsByPath(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const line of await linesOf('unix')) {
    const [, , , , , state, , path] = line.trim().split(/\s+/);
    if (state === UNIX_CONNECTED && path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

/** ` 0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 …` */
function socketIn(line: string, waiting: string): HostSocket | undefined {
  const [, local = '', remote = '', state, , , , , , inode] = line.trim().split(/\s+/);
  const port = Number.parseInt(local.split(':')[1] ?? '', 16);
  if (!Number.isInteger(port)) return undefined;
  return { port, remote: placeIn(remote), listens: state === waiting, held: inode !== '0' };
}

/** The kernel writes the bytes of an address in its own order. */
function placeIn(text: string): string | null {
  const [address = '', port = ''] = text.split(':');
  if (address.length !== 8 || /^0+$/.test(address)) return null;
  const bytes = [...address.matchAll(/../g)].map(([byte]) => Number.parseInt(byte, 16));
  return `${bytes.toReversed().join('.')}:${Number.parseInt(port, 16)}`;
}

async function linesOf(name: string): Promise<readonly string[]> {
  try {
    return (await readFile(`/proc/net/${name}`, 'latin1')).split('\n').slice(1);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []; // without IPv6 there is no such file
    throw error;
  }
}
