/** Turns the master key over: everything that it seals is sealed anew by the first key of the file, in one commit. */
import { randomBytes } from 'node:crypto';
import { MeshError, utc } from '@meshwork/contract';
import { checkOf, sealEnvelope, sealedBy } from '@meshwork/service';
import type { DataKey } from '../../mesh/data-keys.ts';
import { DATA_KEY_SEALED_FOR, neededKeys, resealDocuments, sealingCheck } from '../../mesh/envelopes.ts';
import { ANSWER_KEPT_MS } from '../../mesh/idempotency.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { INSTALLATION_ID } from '../../mesh/mesh-id.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';

const DATA_KEY_BYTES = 32;

export async function rewrap(mesh: Mesh, call: Call<'ca.rewrap'>): Promise<Reply<'ca.rewrap'>> {
  await mesh.master.refresh(neededKeys(mesh.model)).catch((error: unknown) => {
    throw new MeshError('master_key_refused', error instanceof Error ? error.message : String(error), { cause: error });
  });
  return await call.transact((tx) => {
    const master_key = checkOf(mesh.master.first);
    const sealed = sealAnew(tx, mesh, master_key);
    if (sealed > 0) {
      const target = { kind: 'installation', id: INSTALLATION_ID } as const;
      tx.record({ target, detail: `sealed ${sealed} secrets with the master key ${master_key}` });
    }
    return { body: { master_key, sealed, unneeded: mesh.master.checks.filter((check) => check !== master_key) } };
  });
}

/** A commit is whole or not there: whenever the process is killed, every secret opens with a key that is in the file. */
function sealAnew(tx: Transaction, mesh: Mesh, target: string): number {
  let count = 0;
  const reseal = (envelope: string, bound_to: string): string => {
    if (sealedBy(envelope) === target) return envelope;
    count += 1;
    return sealEnvelope(mesh.master.first, mesh.unseal(envelope, bound_to), bound_to);
  };
  resealDocuments(tx, reseal);
  const { body } = tx.get('installation', INSTALLATION_ID) ?? {};
  if (body === undefined) throw new Error('There is no installation.');
  if (sealingCheck(body) === target) return count;
  const [in_use] = mesh.data_keys.all();
  const first = {
    key: sealEnvelope(mesh.master.first, dataBytes(in_use), DATA_KEY_SEALED_FOR),
    made_at: body.created_at,
  };
  const before = body.data_keys ?? [first];
  const kept = before
    // What was derived from one stays good until the last answer of its time is forgotten.
    .filter((_, place) => place === 0 || tx.now_ms - Date.parse(before[place - 1]?.made_at ?? '') < ANSWER_KEPT_MS)
    .map(({ key, made_at }) => ({ key: reseal(key, DATA_KEY_SEALED_FOR), made_at }));
  // A new one each time: who has the old master key cannot make sessions with what follows from it.
  const fresh = sealEnvelope(mesh.master.first, randomBytes(DATA_KEY_BYTES), DATA_KEY_SEALED_FOR);
  const data_keys = [{ key: fresh, made_at: utc(tx.now_ms) }, ...kept];
  tx.put('installation', INSTALLATION_ID, { ...body, sealed_by: target, data_keys });
  return count + 1;
}

function dataBytes(in_use: DataKey | undefined): Buffer {
  if (in_use === undefined) throw new Error('There is no key that sessions are derived from.');
  return in_use.key.export();
}
