import { LabError, NoSuchLab } from '../lab-error.ts';
import { NAMESPACE_PREFIX, namespacePrefix } from '../plan/fixed.ts';
import type { LabPlan } from '../plan/lab-plan.ts';
import {
  createLabFolder,
  type LabRecord,
  labNames,
  readLab,
  removeDrafts,
  removeLabFolder,
  saveLab,
} from './lab-folder.ts';
import { endProcess, isAlive } from './living-process.ts';
import { withMachineLock } from './machine-lock.ts';
import { leftoverNamespaces, removeNamespaces } from './remove-namespaces.ts';

/** How a lab begins and ends on this machine. Each of these is one step to all others: see `machine-lock.ts`. */

/** Cleans up after labs that died, then takes the name for a new one. */
export async function claimLab(record: LabRecord): Promise<void> {
  await withMachineLock(async () => {
    await sweep();
    if (await createLabFolder(record)) return;
    const { name } = record.plan;
    throw new LabError('conflict', `there is a lab "${name}" already; "mesh lab down --name ${name}" ends it`);
  });
}

/** Changes what is there of a lab that lives, one change at a time, and records it. */
export async function changePlan(
  { id, plan: { name } }: LabRecord,
  change: (plan: LabPlan) => Promise<LabPlan>,
): Promise<LabRecord> {
  return await withMachineLock(async () => {
    const record = await readLab(name);
    if (record?.id !== id) throw new NoSuchLab(name, await labNames());
    const changed = { ...record, plan: await change(record.plan) };
    await saveLab(changed);
    return changed;
  });
}

/** Ends this one lab, and not a later one of the same name. Doing so twice changes nothing. */
export async function tearDown({ name, id }: { readonly name: string; readonly id: string }): Promise<void> {
  await withMachineLock(async () => {
    if ((await readLab(name))?.id === id) await removeLab(name);
    await sweep();
  });
}

/** Ends whatever there is of a lab of this name, whole or in pieces. False: there is nothing. */
export async function tearDownByName(name: string): Promise<boolean> {
  return await withMachineLock(async () => {
    const isThere = (await labNames()).includes(name) || (await leftoverNamespaces(namespacePrefix(name))).length > 0;
    if (isThere) await removeLab(name);
    await sweep();
    return isThere;
  });
}

/** Removes what is left of labs whose keeper was killed, and what a process made after its lab had ended. */
async function sweep(): Promise<void> {
  for (const name of await labNames()) {
    const record = await readLab(name);
    if (record === undefined || !(await isAlive(record.keeper))) await removeLab(name);
  }
  const living = (await labNames()).map(namespacePrefix);
  const all = await leftoverNamespaces(NAMESPACE_PREFIX);
  await removeNamespaces(all.filter((namespace) => !living.some((prefix) => namespace.startsWith(prefix))));
  await removeDrafts();
}

/** The folder goes last: as long as it is there, the name is taken and another process can finish this. */
async function removeLab(name: string): Promise<void> {
  const keeper = (await readLab(name))?.keeper;
  // The keeper itself is who does this when its owner has died.
  if (keeper !== undefined && keeper.pid !== process.pid && !(await endProcess(keeper, 'SIGKILL', 20_000))) {
    throw new LabError('failed', `the keeper of the lab "${name}", process ${keeper.pid}, does not end`);
  }
  await removeNamespaces(await leftoverNamespaces(namespacePrefix(name)));
  await removeLabFolder(name);
}
