/**
 * Certificates that outside authorities issue for ingresses. `work-orders.ts` is the duty that gets and renews them, `walk-order.ts` one
 * attempt from the account to the chain; what comes of it is a given certificate (`keep-issued.ts`).
 */
import { pageById } from '@meshwork/service';
import { OutsideAccounts } from '../../acme-client/outside-accounts.ts';
import type { Area } from '../area.ts';
import { findOrder, mayRead } from './find-order.ts';
import { orderAttention } from './order-attention.ts';
import { orderRecord } from './order-record.ts';
import { retryOrder } from './retry-order.ts';
import { WorkOrders } from './work-orders.ts';

export const certificateOrders: Area<'certificate_orders'> = {
  open: () => ({
    serve: (runtime) => {
      const { mesh, outbound, probes, showing, signing, failed } = runtime;
      const accounts = new OutsideAccounts({ mesh, outbound });
      const work = new WorkOrders({ mesh, probes, showing, signing, accounts, failed });
      return {
        handlers: {
          'certificate_orders.list': ({ query, actor }) => {
            const { state, authority } = query;
            const isOf = (id: string) =>
              authority === undefined ||
              authority === id ||
              mesh.model.get('outside_authority', id)?.body.name === authority;
            return {
              body: pageById('certificate_orders.list', query, {
                walk: (after) => mesh.model.after('certificate_order', after),
                keep: (order) =>
                  (state === undefined || order.body.state === state) &&
                  isOf(order.body.authority) &&
                  mayRead(mesh.model, order, actor.scope),
                show: (order) => orderRecord(mesh.model, order, actor.scope),
              }),
            };
          },
          'certificate_orders.show': ({ params, actor }) => {
            const order = findOrder(mesh.model, params.id, actor);
            return { body: orderRecord(mesh.model, order, actor.scope), revision: order.revision };
          },
          'certificate_orders.retry': retryOrder,
        },
        duties: [work],
        overview: orderAttention(),
        close: () => work.close(),
      };
    },
  }),
};
