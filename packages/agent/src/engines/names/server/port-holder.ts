import { readdir, readFile, readlink } from 'node:fs/promises';

/** Tables of sockets of the kernel, of which one line is one socket. */
const TABLES = ['udp', 'tcp', 'udp6', 'tcp6'] as const;
/** Of TCP: listening. A socket of UDP that is bound has the state of one that is closed. */
const LISTENING = ['0A', '07'];

/** Names of the programs that have a port, as far as this process may see them: `dnsmasq (812)`. */
export async function holdersOf(port: number): Promise<readonly string[]> {
  const inodes = new Set((await Promise.all(TABLES.map((table) => inodesOf(table, port)))).flat());
  if (inodes.size === 0) return [];
  const holders: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    if (await hasOneOf(pid, inodes)) holders.push(`${(await textOf(`/proc/${pid}/comm`)).trim()} (${pid})`);
  }
  return holders;
}

async function inodesOf(table: (typeof TABLES)[number], port: number): Promise<readonly string[]> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return (await textOf(`/proc/self/net/${table}`)).split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    const isHeld = local?.endsWith(suffix) === true && LISTENING.includes(state ?? '');
    return isHeld && inode !== undefined && inode !== '0' ? [`socket:[${inode}]`] : [];
  });
}

/** Of programs of others, what they have open may be hidden, and some end meanwhile. */
async function hasOneOf(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const one of open) {
    if (inodes.has(await readlink(`/proc/${pid}/fd/${one}`).catch(() => ''))) return true;
  }
  return false;
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
