/** What happens to the machine of a node. */
import { readFile } from 'node:fs/promises';
import type { LabNode, Place } from '../../src/namespaces/index.ts';
import { until } from '../until.ts';

/** The processes of WireGuard at a place: one, where its agent has started it. */
export function wireguardAt(place: Place): Promise<number[]> {
  return processesAt(place, 'wireguard-go');
}

/** Those at a place that have this name. */
export async function processesAt(place: Place, name: string): Promise<number[]> {
  const pids = (await place.exec('ip', ['netns', 'pids', place.namespace])).split('\n').filter((pid) => pid !== '');
  const names = await Promise.all(pids.map((pid) => commandOf(pid)));
  return pids.filter((_, index) => names[index] === name).map(Number);
}

/** Of one that has just ended: nothing. */
async function commandOf(pid: string): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** Its interface goes with it, and all addresses and routes of that. */
export async function killWireguard(place: Place): Promise<void> {
  for (const pid of await wireguardAt(place)) process.kill(pid, 'SIGKILL');
}

/** The machine goes down without a word, and comes back without anything that was only in memory. No agent runs yet. */
export async function reboot(node: LabNode): Promise<void> {
  await node.agent.stop('SIGKILL');
  await killWireguard(node);
  await until(
    async () => !(await linksOf(node)).includes('mesh0'),
    () => `the interface of ${node.name} is gone`,
  );
  await node.exec('nft', ['flush', 'ruleset']);
  for (const family of ['-4', '-6']) {
    await node.exec('ip', [family, 'rule', 'flush']);
    // Flushing leaves only that of the table `local`; these two a machine has when it starts.
    await node.exec('ip', [family, 'rule', 'add', 'pref', '32766', 'lookup', 'main']);
    if (family === '-4') await node.exec('ip', ['rule', 'add', 'pref', '32767', 'lookup', 'default']);
  }
}

function linksOf(place: Place): Promise<string> {
  return place.exec('ip', ['-br', 'link']);
}
