import { MeshError, newId, utc, WHOLE_MESH } from '@meshwork/contract';
import { newToken } from './access/new-token.ts';
import { newSecret } from './access/token-secret.ts';
import { COORDINATOR, refOf } from './mesh/actor.ts';
import type { Mesh } from './mesh/mesh.ts';
import type { Transaction } from './mesh/transaction.ts';
import { draftOf, putInPlace, removeDraft, writeDraft } from './token-file.ts';

interface HandedOver {
  readonly file: string;
  readonly action: string;
  readonly name: string;
  readonly role: string;
  readonly lifetime_ms: number;
  /** What else belongs into the same commit. */
  readonly with_it?: (tx: Transaction) => void;
}

/**
 * Makes a token for the whole mesh and writes it to a private file. Its text goes to a draft that is this start's alone,
 * then the token is committed, then the draft gets the file's name. Wherever that ends half-way, either no token was
 * committed or its text is in a draft, which the next start puts in place (`finishDrafts`).
 */
export async function handOverToken(mesh: Mesh, { file, action, ...given }: HandedOver): Promise<void> {
  const id = newId('token', mesh.clock.now());
  const secret = newSecret(id);
  const draft = draftOf(file, id);
  await writeDraft(draft, secret.text);
  try {
    await mesh.transact({ actor: COORDINATOR, action }, (tx) => {
      given.with_it?.(tx);
      const { name, role } = given;
      const expires = utc(tx.now_ms + given.lifetime_ms);
      const token = { name, role, scope: WHOLE_MESH, expires, created_by: refOf(COORDINATOR) };
      tx.create('token', id, newToken({ ...token, secret_sha256: secret.sha256 }, tx.now_ms));
      tx.record({ target: { kind: 'token', id } });
    });
  } catch (error) {
    if (!(error instanceof MeshError) || error.code === 'outcome_unknown') {
      const place = `If it has it, the text is in ${draft.path}, and the next start puts it in place.`;
      throw new Error(`The store failed while it was given the token of ${given.role}. ${place}`, { cause: error });
    }
    await removeDraft(draft); // certainly not committed
    throw error;
  }
  await putInPlace(draft);
}
