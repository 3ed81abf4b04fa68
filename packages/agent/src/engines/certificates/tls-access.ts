/** Who may read what is in the `tls/` folder: root alone, or root and one group. */
import { chmod, lchown, lstat, readFile } from 'node:fs/promises';
import { isCode, modeText, reasonOf } from '../../host/atomic-file.ts';

export interface TlsAccess {
  /** Absent: whichever it is, it may do nothing. */
  readonly gid?: number;
  /** Of the agent's state folder: a group may pass through it, and no more. */
  readonly state_folder: number;
  readonly folder: number;
  readonly key: number;
  /** Of what is no secret. The folders decide who gets there. */
  readonly open: number;
}

const ROOT_ALONE = { state_folder: 0o700, folder: 0o700, key: 0o600, open: 0o600 };
const WITH_GROUP = { state_folder: 0o710, folder: 0o750, key: 0o640, open: 0o644 };

/** Looked up each time: a group may be made, or get another number, while the agent runs. */
export async function accessFor(group: string | undefined, groups: string): Promise<TlsAccess> {
  if (group === undefined) return ROOT_ALONE;
  return { ...WITH_GROUP, gid: /^\d+$/.test(group) ? Number(group) : await numberOf(group, groups) };
}

/** group(5). Groups that only a directory service knows have to be given by number. */
async function numberOf(group: string, groups: string): Promise<number> {
  const rows = (await readFile(groups, 'utf8')).split('\n').map((line) => line.split(':'));
  const number = rows.find(([name]) => name === group)?.[2];
  if (number !== undefined && /^\d+$/.test(number)) return Number(number);
  throw new Error(`MESH_TLS_GROUP is ${group}, and ${groups} has no such group: make it, or give a number`);
}

interface Allowed {
  readonly mode: number;
  readonly gid?: number | undefined;
}

/** chown(2). */
const UNCHANGED = -1;

/** Makes a file or folder the agent's and the group's. Answers whether it was not. */
export async function allow(path: string, { mode, gid }: Allowed): Promise<boolean> {
  if ((await accessFault(path, { mode, gid })) === null) return false;
  try {
    await lchown(path, process.geteuid?.() ?? 0, gid ?? UNCHANGED);
  } catch (error) {
    if (!isCode(error, 'EPERM')) throw error;
    const remedy = 'as a service, it needs SupplementaryGroups= in its unit';
    throw new Error(`${path} cannot be given to group ${gid}, which the agent is not in: ${remedy}`, { cause: error });
  }
  await chmod(path, mode);
  return true;
}

/** In words that go on after the name of the file. Null: it is as it should be. */
export async function accessFault(path: string, { mode, gid }: Allowed): Promise<string | null> {
  const found = await lstat(path);
  if ((found.mode & 0o7777) !== mode) return `has mode ${modeText(found.mode)} instead of ${modeText(mode)}`;
  if (found.uid !== process.geteuid?.()) return `belongs to user ${found.uid}`;
  return gid === undefined || found.gid === gid ? null : `belongs to group ${found.gid} instead of ${gid}`;
}

/** Adds what could not be done to a failure of the system. */
export function unwritable(path: string, error: unknown): Error {
  return new Error(`${path} cannot be written: ${reasonOf(error)}. What was there is unchanged.`, { cause: error });
}
