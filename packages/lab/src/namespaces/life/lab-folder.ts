import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../write-whole.ts';
import { LabError } from '../lab-error.ts';
import type { LabPlan } from '../plan/lab-plan.ts';
import type { ProcessId } from './living-process.ts';

/** What is known of a lab on this machine: `/run/mesh-lab/NAME/lab.json`, beside what its nodes keep. */
export interface LabRecord {
  /** Of this one lab: another of the same name has another. */
  readonly id: string;
  readonly plan: LabPlan;
  /** The lab lives as long as this process. */
  readonly keeper: ProcessId;
  /** What the keeper passes on to, such as `http://127.0.0.1:7400`. */
  readonly coordinator: string;
}

export const RUN_DIR = '/run/mesh-lab';
const RECORD = 'lab.json';

export function labFolder(name: string): string {
  return join(RUN_DIR, name);
}

export function nodeFolder(lab: string, node: string): string {
  return join(labFolder(lab), 'nodes', node);
}

/**
 * Takes the name. The folder appears with its record in it, in one step, so that no process ever sees a lab without a keeper.
 * False: there is one of this name.
 */
export async function createLabFolder(record: LabRecord): Promise<boolean> {
  const { plan } = record;
  const draft = await mkdtemp(join(RUN_DIR, '.new-'));
  try {
    await writeFile(join(draft, RECORD), JSON.stringify(record, null, 2), { mode: 0o600 });
    // wireguard-go keeps its sockets in a folder that all namespaces share, so each node has one of its own laid over it.
    for (const { name } of plan.nodes) {
      await mkdir(join(draft, 'nodes', name, 'wireguard'), { recursive: true, mode: 0o700 });
      await mkdir(join(draft, 'nodes', name, 'state'), { mode: 0o700 });
    }
    await rename(draft, labFolder(plan.name));
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** Of a lab that is there already. */
export async function saveLab(record: LabRecord): Promise<void> {
  await writeWhole(join(labFolder(record.plan.name), RECORD), JSON.stringify(record, null, 2));
}

/** Undefined: there is no such lab. */
export async function readLab(name: string): Promise<LabRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(labFolder(name), RECORD), 'utf8')) as LabRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new LabError('failed', `${join(labFolder(name), RECORD)} cannot be read: ${(error as Error).message}`);
  }
}

/** All that have a folder, also those whose keeper is dead. */
export async function labNames(): Promise<string[]> {
  const entries = await entriesOf(RUN_DIR);
  return entries.filter((name) => !name.startsWith('.')).sort();
}

export async function removeLabFolder(name: string): Promise<void> {
  await rm(labFolder(name), { recursive: true, force: true });
}

/** Drafts of folders of processes that did not get to naming them. Only under the lock: others are drafting there too. */
export async function removeDrafts(): Promise<void> {
  const drafts = (await entriesOf(RUN_DIR)).filter((name) => name.startsWith('.new-'));
  await Promise.all(drafts.map((name) => rm(join(RUN_DIR, name), { recursive: true, force: true })));
}

/** The names in a folder. One that is not there is empty. */
export async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
