/** What nginx finds on this host. */
import { access, readFile } from 'node:fs/promises';
import { NGINX_MODULES } from './nginx-config.ts';
import type { NginxInput } from './nginx-input.ts';

/** There exactly if the kernel has IPv6. */
const IPV6 = '/proc/net/if_inet6';
/** Ours: more than a gateway of this size needs. */
const MOST_OPEN_FILES = 65_536;

/** Looked up each time: packages may be installed while the agent runs. The modules need nginx itself. */
export async function hasModules(): Promise<boolean> {
  return (await Promise.all(NGINX_MODULES.map(isThere))).every((one) => one);
}

/** nginx is started with the limits of the agent, and may not raise them. */
export async function hostLimits(): Promise<Pick<NginxInput, 'ipv6' | 'open_files'>> {
  const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8')) ?? [];
  const open_files = Math.min(MOST_OPEN_FILES, Number(hard ?? MOST_OPEN_FILES));
  return { ipv6: await isThere(IPV6), open_files };
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
