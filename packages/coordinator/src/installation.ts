import { rm } from 'node:fs/promises';
import { MeshError, newId, utc, WHOLE_MESH } from '@meshwork/contract';
import { newToken } from './access/new-token.ts';
import { newSecret } from './access/token-secret.ts';
import { COORDINATOR, refOf } from './mesh/actor.ts';
import { checkOf, type MasterKey } from './mesh/master-key.ts';
import type { Mesh } from './mesh/mesh.ts';
import type { Transaction } from './mesh/transaction.ts';
import { writePrivateFile } from './private-file.ts';

const INSTALLATION_ID = 'mesh';
const OWNER_TOKEN_MS = 24 * 3600 * 1000;

/** Refuses to go on with a key that is not this installation's: what it sealed could not be opened. */
export function ensureOwnKey(mesh: Mesh, key: MasterKey, file: string): void {
  const installation = mesh.model.get('installation', INSTALLATION_ID);
  if (installation === undefined || installation.body.master_key_check === checkOf(key)) return;
  throw new Error(`${file} holds the master key of another installation than the store. Put the right one there.`);
}

/**
 * On the very first start, and when asked to recover, writes an owner token of 24 hours to a private file. The file is
 * written first: a token that is never committed harms nobody, a committed one that nobody has locks everybody out.
 * Returns whether it wrote one.
 */
export async function ensureOwner(
  mesh: Mesh,
  parts: { key: MasterKey; file: string; recover: boolean },
): Promise<boolean> {
  const isFirst = mesh.model.get('installation', INSTALLATION_ID) === undefined;
  if (!isFirst && !parts.recover) return false;
  const id = newId('token', mesh.clock.now());
  const secret = newSecret(id);
  await writePrivateFile(parts.file, `${secret.text}\n`, { replace: true });
  const action = isFirst ? 'installation.create' : 'installation.recover';
  const done = mesh.transact({ actor: COORDINATOR, action }, (tx) => {
    if (isFirst) install(tx, parts.key);
    const given = { name: isFirst ? 'bootstrap' : 'recovery', scope: WHOLE_MESH, role: 'owner' };
    const expires = utc(tx.now_ms + OWNER_TOKEN_MS);
    const token = { ...given, expires, created_by: refOf(COORDINATOR), secret_sha256: secret.sha256 };
    tx.create('token', id, newToken(token, tx.now_ms));
    tx.record({ target: { kind: 'token', id } });
  });
  try {
    await done;
    return true;
  } catch (error) {
    await rm(parts.file, { force: true });
    // Another coordinator on the same store was first. Its token is the one that counts.
    if (error instanceof MeshError && error.code === 'already_exists') return false;
    throw error;
  }
}

/** `create` lets exactly one of several first starts on a shared store through. */
function install(tx: Transaction, key: MasterKey): void {
  tx.create('installation', INSTALLATION_ID, { created_at: utc(tx.now_ms), master_key_check: checkOf(key) });
}
