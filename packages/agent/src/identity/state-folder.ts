import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DRAFT_SUFFIX, isCode, modeText, reasonOf } from '../host/atomic-file.ts';
import { StateError } from '../host/state-error.ts';
import { lockFolder } from './folder-lock.ts';

/** Where an agent keeps its identity. The holder of one of these is the only writer. */
export interface StateFolder {
  readonly path: string;
  /** Lets another agent have it. */
  close(): void;
}

/** The files in it. */
export const STATE_FILES = {
  identity: 'identity.json',
  wireguard: 'wireguard.json',
  view: 'view.json',
  rollback: 'rollback.json',
  lock: 'agent.lock',
  /** A folder: the certificate of the node, as services read it. */
  tls: 'tls',
  /** A folder: what the engines have to remember. */
  run: 'run',
} as const;

/** A group may pass through to what it may read, the certificate in `tls/`. It can list nothing, and all other files are their owner's alone. */
const GROUP_SEARCH = 0o010;

/** Makes the folder when there is none, refuses one that is not ours alone, and takes it for this process. */
export async function openStateFolder(folder: string): Promise<StateFolder> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new StateError('unfit', `the folder ${path} cannot be made: ${reasonOf(error)}`, error);
  });
  await checkStateFolder(path);
  const lock = await lockFolder(path, join(path, STATE_FILES.lock)).catch((error: unknown) => {
    if (error instanceof StateError) throw error;
    throw new StateError('unfit', `the folder ${path} cannot be used: ${reasonOf(error)}`, error);
  });
  await sweep(path);
  return { path, close: () => lock.release() };
}

/** For readers. Says whether there is one; refuses one that others could have read or changed. */
export async function checkStateFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new StateError('unfit', `the folder ${path} cannot be looked at: ${reasonOf(error)}`, error);
  });
  if (found === undefined) return false;
  if (!found.isDirectory()) throw new StateError('unfit', `${path} is not a folder, and must be one`);
  const me = process.geteuid?.();
  if (found.uid !== me) {
    throw new StateError('unfit', `${path} belongs to user ${found.uid}, and this runs as ${me}: chown ${me} ${path}`);
  }
  if ((found.mode & 0o077 & ~GROUP_SEARCH) !== 0) {
    const remedy = `chmod 700 ${path} (or 710: the group of MESH_TLS_GROUP may pass through it)`;
    const message = `${path} holds private keys and is open to others (mode ${modeText(found.mode)}): ${remedy}`;
    throw new StateError('unfit', message);
  }
  return true;
}

/** Removes what an interrupted write left. No other process writes now: the folder is ours. */
async function sweep(path: string): Promise<void> {
  const drafts = (await readdir(path)).filter((name) => name.endsWith(DRAFT_SUFFIX));
  for (const name of drafts) await rm(join(path, name), { force: true });
}
