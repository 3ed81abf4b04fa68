import { type FileHandle, open, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LabError } from '../lab-error.ts';
import { runProgram } from '../network/run.ts';
import { ETC_NETNS } from '../plan/fixed.ts';
import { entriesOf } from './lab-folder.ts';
import { sendSignal } from './living-process.ts';

/** Where `ip netns` gives namespaces their names. */
const NAMED = '/run/netns';
/** Ours: a process that was killed is gone in milliseconds, unless the machine is very busy. */
const PATIENCE_MS = 20_000;

/** All that there is whose name begins so, also what only has files left in /etc. */
export async function leftoverNamespaces(prefix: string): Promise<string[]> {
  const names = [...(await entriesOf(NAMED)), ...(await entriesOf(ETC_NETNS))];
  return [...new Set(names)].filter((name) => name.startsWith(prefix)).sort();
}

/**
 * Takes namespaces away with everything that runs in them; their interfaces vanish with them. The names go first, so that
 * no process can enter while those inside are ended. They are held open meanwhile: the number that a namespace is
 * known by is given to another one as soon as it is gone, and we would end what runs in there.
 */
export async function removeNamespaces(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const held: FileHandle[] = [];
  try {
    for (const name of names) held.push(...(await holdOpen(join(NAMED, name))));
    const numbers = new Set(await Promise.all(held.map(async (handle) => String((await handle.stat()).ino))));
    await deleteNames(names);
    await endAllIn(numbers);
  } finally {
    await Promise.all(held.map((handle) => handle.close()));
  }
  await Promise.all(names.map((name) => rm(join(ETC_NETNS, name), { recursive: true, force: true })));
}

async function holdOpen(path: string): Promise<FileHandle[]> {
  try {
    return [await open(path)];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function deleteNames(names: readonly string[]): Promise<void> {
  const wanted = new Set(names);
  const there = async () => (await entriesOf(NAMED)).filter((name) => wanted.has(name));
  const lines = (await there()).map((name) => `netns del ${name}\n`);
  if (lines.length === 0) return;
  // One that cannot be deleted must not keep the others: `-force` goes on, and we look ourselves.
  const said = await runProgram('ip', ['-force', '-batch', '-'], { input: lines.join('') }).catch(String);
  const left = await there();
  if (left.length > 0) throw new LabError('failed', `these namespaces cannot be deleted: ${left.join(', ')}. ${said}`);
}

async function endAllIn(namespaces: ReadonlySet<string>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const inside = await processesIn(namespaces);
    if (inside.length === 0) return;
    for (const pid of inside) sendSignal(pid, 'SIGKILL');
    if (performance.now() > deadline) {
      throw new LabError('failed', `these processes of the lab do not end: ${inside.join(', ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** By one walk over all processes, however many namespaces there are. */
async function processesIn(namespaces: ReadonlySet<string>): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const inside = await Promise.all(pids.map(async (pid) => namespaces.has(await namespaceNumber(pid))));
  return pids.filter((_, index) => inside[index]).map(Number);
}

/** None: it has ended meanwhile, or is not ours to look at, which no process of a lab can be. */
async function namespaceNumber(pid: string): Promise<string> {
  try {
    return /\d+/.exec(await readlink(`/proc/${pid}/ns/net`))?.[0] ?? '';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}
