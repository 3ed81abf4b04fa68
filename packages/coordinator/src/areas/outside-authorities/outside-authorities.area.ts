/**
 * Authorities outside of the mesh that issue certificates for ingresses by ACME. `change-outside.ts` has what operators set,
 * `register-accounts.ts` makes accounts with them; what is ordered is in `certificate-orders/`, and the protocol in `acme-client/`.
 */
import { pageById } from '@meshwork/service';
import { OutsideAccounts } from '../../acme-client/outside-accounts.ts';
import type { Area } from '../area.ts';
import { createOutside, updateOutside } from './change-outside.ts';
import { deleteOutside } from './delete-outside.ts';
import { findOutside, mayRead } from './find-outside.ts';
import { outsideRecord } from './outside-record.ts';
import { RegisterAccounts } from './register-accounts.ts';

export const outsideAuthorities: Area<'outside_authorities'> = {
  open: () => ({
    serve: ({ mesh, outbound, failed }) => {
      const accounts = new OutsideAccounts({ mesh, outbound });
      const registration = new RegisterAccounts({ mesh, accounts, failed });
      const ending = new Set<Promise<void>>();
      const later = (work: Promise<void>) => {
        const tracked = work.catch(failed).finally(() => ending.delete(tracked));
        ending.add(tracked);
      };
      return {
        handlers: {
          'outside_authorities.create': (call) => createOutside(mesh, call),
          'outside_authorities.list': (call) => ({
            body: pageById('outside_authorities.list', call.query, {
              walk: (after) => mesh.model.after('outside_authority', after),
              keep: ({ body }) => mayRead(call.actor.scope, body.scope),
              show: (authority) => outsideRecord(mesh.model, authority, call.actor.scope),
            }),
          }),
          'outside_authorities.show': (call) => {
            const authority = findOutside(mesh.model, call.params.id, call.actor);
            const body = outsideRecord(mesh.model, authority, call.actor.scope);
            return { body, revision: authority.revision };
          },
          'outside_authorities.update': (call) => updateOutside(mesh, call),
          'outside_authorities.delete': (call) => deleteOutside({ mesh, accounts }, call, later),
        },
        duties: [registration],
        close: async () => {
          await registration.close();
          await Promise.all(ending);
        },
      };
    },
  }),
};
