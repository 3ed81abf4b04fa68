/** What becomes of an attempt that failed: why is kept, and when another is made. */
import { utc } from '@meshwork/contract';
import { AcmeFailure } from '../../acme-client/acme-failure.ts';
import { accountId, type Where } from '../../acme-client/outside-accounts.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';

/** Ours: doubled with each attempt. At the staging directory mistakes cost nothing. */
const BACK_OFF_MS = { least: 60_000, most: 86_400_000, most_staging: 3_600_000 };
/** Up to so much more, so that what failed together is not tried together. */
const JITTER = 0.2;
/** Where an authority wants fewer requests and does not say for how long. */
const PAUSE_S = 3600;

export async function keepFailure(mesh: Mesh, id: string, problem: string, error: unknown): Promise<void> {
  await mesh.transact({ actor: COORDINATOR, action: 'certificate_orders.fail' }, (tx) => {
    const order = tx.get('certificate_order', id)?.body;
    if (order === undefined) return;
    const attempts = order.attempts + 1;
    const { retry_after_s, type } = error instanceof AcmeFailure ? error : { retry_after_s: null, type: null };
    const most = order.staging ? BACK_OFF_MS.most_staging : BACK_OFF_MS.most;
    const back_off_ms =
      Math.min(most, BACK_OFF_MS.least * 2 ** Math.min(attempts - 1, 20)) * (1 + JITTER * Math.random());
    const wait_ms = Math.max(back_off_ms, (retry_after_s ?? 0) * 1000);
    const next_at = utc(Math.ceil(tx.now_ms + wait_ms));
    tx.put('certificate_order', id, { ...order, state: 'failing', attempts, problem, next_at });
    const where: Where = order.staging ? 'staging' : 'live';
    const account = tx.get('outside_account', accountId(order.authority, where));
    if (type === 'rateLimited' && account !== undefined) {
      const paused_until = utc(tx.now_ms + (retry_after_s ?? PAUSE_S) * 1000);
      tx.put('outside_account', account.id, { ...account.body, paused_until });
    }
    const { hostname, scope } = order;
    const authority = tx.get('outside_authority', order.authority)?.body.name ?? order.authority;
    const subject = { kind: 'certificate_order', id } as const;
    tx.emit({ type: 'certificate_order.failed', subject, scope, data: { hostname, authority, problem, next_at } });
  });
}
