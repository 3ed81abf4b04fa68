import { MeshError, utc } from '@meshwork/contract';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findOwnOrder } from './find-order.ts';
import { orderRecord } from './order-record.ts';

/** Ours: authorities count failed attempts, and refuse more than a few an hour. */
const AN_HOUR = 5;
const HOUR_MS = 3_600_000;

/** The attempts so far stay counted: another failure puts it off as far as before. */
export function retryOrder(call: Call<'certificate_orders.retry'>): Promise<Reply<'certificate_orders.retry'>> {
  return call.transact((tx, actor) => {
    const { id, body, revision } = findOwnOrder(tx, call.params.id, actor);
    ensureMatches({ revision }, call.if_match);
    const { hostname, scope } = body;
    if (body.state === 'under_way') {
      const where = body.staging ? 'at the staging directory' : 'with the authority';
      throw new MeshError(
        'order_under_way',
        `The order for ${hostname} is under way ${where}: ${body.step ?? 'begun'}.`,
      );
    }
    const recent = body.brought_forward.filter((at) => Date.parse(at) > tx.now_ms - HOUR_MS);
    const [first] = recent;
    if (recent.length >= AN_HOUR && first !== undefined) {
      const retry_after_s = Math.max(1, Math.ceil((Date.parse(first) + HOUR_MS - tx.now_ms) / 1000));
      const text = `The order for ${hostname} was brought forward ${AN_HOUR} times within an hour.`;
      throw new MeshError('rate_limited', text, { retry_after_s });
    }
    const order = tx.put('certificate_order', id, {
      ...body,
      state: 'waiting',
      next_at: null,
      brought_forward: [...recent, utc(tx.now_ms)],
    });
    const subject = { kind: 'certificate_order', id } as const;
    const authority = tx.get('outside_authority', body.authority)?.body.name ?? body.authority;
    tx.record({ target: subject, scope });
    tx.emit({ type: 'certificate_order.retried', subject, scope, data: { hostname, authority } });
    return { body: orderRecord(tx, order, actor.scope), revision: order.revision };
  });
}
