import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';

/** Expired certificates are shown for this long, so that an operator who looks for one finds out what became of it. */
const KEPT_MS = 7 * 24 * 3600 * 1000;
const AT_ONCE = 100;

/** Removes the records of certificates that expired a week ago, and what was written about their revocation. */
export async function forgetCertificates(mesh: Mesh): Promise<void> {
  const before_ms = mesh.clock.now() - KEPT_MS;
  const past = [...mesh.model.all('certificate')].filter(({ body }) => Date.parse(body.not_after) <= before_ms);
  const revocations = [...mesh.model.all('revocation')].filter(({ body }) => Date.parse(body.expires_at) <= before_ms);
  while (past.length + revocations.length > 0) {
    const some = past.splice(0, AT_ONCE);
    const ended = revocations.splice(0, AT_ONCE);
    await mesh.transact({ actor: COORDINATOR, action: 'ca.forget' }, (tx) => {
      for (const { id, body } of some) {
        tx.delete('certificate', id);
        for (const claim of ['serial', 'replaced']) tx.delete('claim', `${claim}/${body.serial}`);
      }
      for (const { id } of ended) tx.delete('revocation', id);
      const count = some.length + ended.length;
      tx.record({ target: null, detail: `${some.length} certificates that expired more than a week ago`, count });
    });
  }
}
