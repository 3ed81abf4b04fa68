import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/** All that there is of a lab on this machine, in words. Empty: it was never here. */
export function tracesOf(lab: string): string[] {
  const named = (folder: string) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`meshlab-${lab}-`)) : [];
  return [
    ...named('/run/netns').map((name) => `namespace ${name}`),
    ...named('/etc/netns').map((name) => `folder /etc/netns/${name}`),
    ...(existsSync(`/run/mesh-lab/${lab}`) ? [`folder /run/mesh-lab/${lab}`] : []),
    ...processesNaming(lab),
  ];
}

export async function untilNoTrace(lab: string): Promise<void> {
  await until(
    () => tracesOf(lab).length === 0,
    () => `there is still ${tracesOf(lab).join(', ')}`,
  );
}

/** The keeper, agents, and whatever runs in a namespace: the name of a lab is in all their arguments. */
function processesNaming(lab: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      const line = commandLine(pid);
      return line.includes(lab) ? [`process ${pid}: ${line}`] : [];
    });
}

/** Of one that ended while we looked: nothing. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
