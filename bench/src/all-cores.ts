import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { canPin, LOAD_CORE } from './pinned.ts';

/** The bench keeps to one core, and so does whatever it starts. The nodes of a lab have the whole machine instead. */
export async function onAllCores<T>(work: () => Promise<T>): Promise<T> {
  if (!canPin || cpus().length < 2) return await work();
  keepTo(`0-${cpus().length - 1}`);
  try {
    return await work();
  } finally {
    keepTo(String(LOAD_CORE));
  }
}

function keepTo(cores: string): void {
  const { status, stderr } = spawnSync('taskset', ['-cp', cores, String(process.pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset failed: ${stderr.trim()}`);
}
