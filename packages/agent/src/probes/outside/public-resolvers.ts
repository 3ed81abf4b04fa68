/** The resolvers that this host has beside the mesh's own: what they say, people outside get too. */
import { readFile } from 'node:fs/promises';
import { plainAddress } from '@meshwork/addresses';

const RESOLV_CONF = '/etc/resolv.conf';
/** The servers that systemd-resolved knows of all links. It answers itself at the addresses below, and also for the mesh. */
const UPLINKS = '/run/systemd/resolve/resolv.conf';
const RESOLVED = new Set(['127.0.0.53', '127.0.0.54']);
const MOST = 3;

interface Files {
  readonly resolv_conf?: string;
  readonly uplinks?: string;
}

/** `own`: addresses of this node in the mesh, where the agent itself answers. Empty: there are none. */
export async function publicResolvers(own: readonly string[], files: Files = {}): Promise<readonly string[]> {
  const first = await serversIn(files.resolv_conf ?? RESOLV_CONF);
  const all = first.some((server) => RESOLVED.has(server)) ? await serversIn(files.uplinks ?? UPLINKS) : first;
  const others = all.filter((server) => !own.includes(server) && !RESOLVED.has(server));
  return [...new Set(others)].slice(0, MOST);
}

async function serversIn(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'latin1').catch(() => ''); // a host without the file has no resolver there
  const found = Array.from(text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm), ([, server = '']) => server);
  return found.flatMap((server) => plainAddress(server) ?? []);
}
