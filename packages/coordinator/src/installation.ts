import { MeshError, utc } from '@meshwork/contract';
import { checkOf, type MasterKey, NotAMasterKey, readMasterKeys, readOrMakeMasterKey } from '@meshwork/service';
import { handOverToken } from './hand-over-token.ts';
import { neededKeys } from './mesh/envelopes.ts';
import { MasterKeys } from './mesh/master-keys.ts';
import type { Mesh } from './mesh/mesh.ts';
import { INSTALLATION_ID } from './mesh/mesh-id.ts';
import type { View } from './mesh/model.ts';
import type { Transaction } from './mesh/transaction.ts';
import { finishDrafts } from './token-file.ts';

const OWNER_TOKEN_MS = 24 * 3600 * 1000;

/**
 * The installation's master keys, before anything is changed with them. Only a store without an installation gets a new
 * one: what was sealed with a key that is gone could not be opened with another.
 */
export async function masterKeysOf(model: View, file: string): Promise<MasterKeys> {
  const read = () => readAll(file);
  if (model.get('installation', INSTALLATION_ID) === undefined) {
    return new MasterKeys((await readMasterKeys(file)) ?? [await readOrMakeMasterKey(file)], read);
  }
  const keys = await read().catch((error: unknown) => {
    const isAboutKeys = error instanceof NotAMasterKey;
    throw isAboutKeys ? new Error(`${error.message} ${whatToDo(model)}`, { cause: error }) : error;
  });
  const found = new MasterKeys(keys, read);
  ensureOwnKeys(model, found, file);
  return found;
}

async function readAll(file: string): Promise<readonly MasterKey[]> {
  const keys = await readMasterKeys(file);
  if (keys === undefined) throw new NotAMasterKey(`The master key file ${file} is missing.`);
  return keys;
}

function ensureOwnKeys(model: View, keys: MasterKeys, file: string): void {
  const [sealing, ...older] = neededKeys(model);
  if (sealing === undefined) return;
  const held = keys.checks.join(', ');
  if (keys.find(sealing) === undefined) {
    throw new Error(`${file} holds the master key of another installation, ${held}. ${whatToDo(model)}`);
  }
  const lacking = older.filter((check) => keys.find(check) === undefined);
  if (lacking.length === 0) return;
  throw new Error(
    `${file} holds the master key ${held}, and parts of the store are sealed with ${lacking.join(', ')}. Nothing was changed. Put that key back on a line after the first one, start again, and seal them anew: mesh ca rewrap.`,
  );
}

/** What an operator needs to know who has lost the key. Said at the start, before anything is written. */
function whatToDo(model: View): string {
  return [
    `The store needs the master key ${neededKeys(model).join(' and ')}: restore that file from your backup and start again.`,
    'Nothing was changed. Without it the keys of the mesh CA are lost, and this store cannot be served any more:',
    'then start with a new store and enrol every node again.',
  ].join(' ');
}

interface OwnerParts {
  readonly keys: MasterKeys;
  readonly key_file: string;
  readonly token_file: string;
  readonly recover: boolean;
}

/**
 * On the very first start, and when asked to recover, makes an owner token of 24 hours and writes it to a private file.
 * `finished`: an earlier start made one, and only now it got to its file.
 */
export async function ensureOwner(mesh: Mesh, parts: OwnerParts): Promise<'made' | 'finished' | 'unchanged'> {
  const isFirst = mesh.model.get('installation', INSTALLATION_ID) === undefined;
  if (isFirst && (await makeOwner(mesh, parts, 'installation.create'))) return 'made';
  // Where another coordinator was first just now, it may have been with another key.
  ensureOwnKeys(mesh.model, parts.keys, parts.key_file);
  const finished = await finishDrafts(mesh, parts.token_file);
  if (parts.recover && (await makeOwner(mesh, parts, 'installation.recover'))) return 'made';
  return finished ? 'finished' : 'unchanged';
}

/** Returns false when another coordinator on the same store was first: its token is the one that counts, and the file is its. */
async function makeOwner(
  mesh: Mesh,
  { keys, token_file }: OwnerParts,
  action: 'installation.create' | 'installation.recover',
): Promise<boolean> {
  const isFirst = action === 'installation.create';
  const token = { name: isFirst ? 'bootstrap' : 'recovery', role: 'owner', lifetime_ms: OWNER_TOKEN_MS };
  const with_it = (tx: Transaction) => {
    if (isFirst) install(tx, keys.first);
  };
  try {
    await handOverToken(mesh, { file: token_file, action, ...token, with_it });
  } catch (error) {
    if (isFirst && error instanceof MeshError && error.code === 'already_exists') return false;
    throw error;
  }
  return true;
}

/** `create` lets exactly one of several first starts on a shared store through. */
function install(tx: Transaction, key: MasterKey): void {
  tx.create('installation', INSTALLATION_ID, { created_at: utc(tx.now_ms), master_key_check: checkOf(key) });
}
