import { MeshError, utc } from '@meshwork/contract';
import { checkOf, type MasterKey, NotAMasterKey, readMasterKey, readOrMakeMasterKey } from '@meshwork/service';
import { handOverToken } from './hand-over-token.ts';
import type { Mesh } from './mesh/mesh.ts';
import { INSTALLATION_ID } from './mesh/mesh-id.ts';
import type { View } from './mesh/model.ts';
import type { Transaction } from './mesh/transaction.ts';
import { finishDrafts } from './token-file.ts';

const OWNER_TOKEN_MS = 24 * 3600 * 1000;

/**
 * The installation's master key, before anything is changed with it. Only a store without an installation gets a new
 * one: what was sealed with a key that is gone could not be opened with another.
 */
export async function masterKeyOf(model: View, file: string): Promise<MasterKey> {
  if (model.get('installation', INSTALLATION_ID) === undefined) return readOrMakeMasterKey(file);
  const needed = neededKey(model);
  const key = await readMasterKey(file).catch((error: unknown) => {
    throw error instanceof NotAMasterKey ? new Error(`${error.message} ${needed}`, { cause: error }) : error;
  });
  if (key === undefined) throw new Error(`The master key file ${file} is missing. ${needed}`);
  ensureOwnKey(model, key, file);
  return key;
}

function ensureOwnKey(model: View, key: MasterKey, file: string): void {
  const installation = model.get('installation', INSTALLATION_ID);
  if (installation === undefined || installation.body.master_key_check === checkOf(key)) return;
  throw new Error(`${file} holds the master key of another installation, ${checkOf(key)}. ${neededKey(model)}`);
}

/** What an operator needs to know who has lost it. Said at the start, before anything is written. */
function neededKey(model: View): string {
  const check = model.get('installation', INSTALLATION_ID)?.body.master_key_check;
  return [
    `The store needs the master key ${check}: restore that file from your backup and start again.`,
    'Nothing was changed. Without it the keys of the mesh CA are lost, and this store cannot be served any more:',
    'then start with a new store and enrol every node again.',
  ].join(' ');
}

interface OwnerParts {
  readonly key: MasterKey;
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
  ensureOwnKey(mesh.model, parts.key, parts.key_file);
  const finished = await finishDrafts(mesh, parts.token_file);
  if (parts.recover && (await makeOwner(mesh, parts, 'installation.recover'))) return 'made';
  return finished ? 'finished' : 'unchanged';
}

/** Returns false when another coordinator on the same store was first: its token is the one that counts, and the file is its. */
async function makeOwner(
  mesh: Mesh,
  { key, token_file }: OwnerParts,
  action: 'installation.create' | 'installation.recover',
): Promise<boolean> {
  const isFirst = action === 'installation.create';
  const token = { name: isFirst ? 'bootstrap' : 'recovery', role: 'owner', lifetime_ms: OWNER_TOKEN_MS };
  const with_it = (tx: Transaction) => {
    if (isFirst) install(tx, key);
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
