import { isExpiringSoon } from '../../access/token-state.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** Written side by side, so that they share a commit. */
const AT_ONCE = 100;

/** Tells, once for each, of the tokens that will soon stop working. One that was rotated has its successor already. */
export async function announceExpiry(mesh: Mesh): Promise<void> {
  const now_ms = mesh.clock.now();
  const due = [...mesh.model.all('token')].filter((token) => isDue(token, now_ms));
  while (due.length > 0) {
    await Promise.all(due.splice(0, AT_ONCE).map(({ id }) => announce(mesh, id)));
  }
}

function announce(mesh: Mesh, id: string): Promise<void> {
  return mesh.transact({ actor: COORDINATOR, action: 'tokens.announce_expiry' }, (tx: Transaction) => {
    const token = tx.get('token', id);
    // Looked at again: it may have been rotated or revoked meanwhile.
    if (token === undefined || !isDue(token, tx.now_ms)) return;
    const { name, scope, expires } = token.body;
    const subject = { kind: 'token', id } as const;
    tx.put('token', id, { ...token.body, expiry_announced: true });
    tx.record({ target: subject, scope });
    tx.emit({ type: 'token.expiring', subject, scope, data: { name, expires } });
  });
}

function isDue({ body }: Stored<'token'>, now_ms: number): boolean {
  return body.expiry_announced !== true && isExpiringSoon(body, now_ms);
}
