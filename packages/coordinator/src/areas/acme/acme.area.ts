/**
 * ACME (RFC 8555). `acme-protocol.ts` takes the requests of clients; accounts act as tokens (`bound-token.ts`), nodes prove names
 * (`validate-challenges.ts`), and what is signed is a certificate of the mesh CA like any other.
 */
import { periodic } from '../../duties/duty.ts';
import type { Area } from '../area.ts';
import { AcmeProtocol } from './acme-protocol.ts';
import { acmeIndexes, openDesk } from './desk.ts';
import { forgetOrders } from './forget-orders.ts';
import { bind, deactivateAccount, listAccounts } from './operate-accounts.ts';
import { ValidateChallenges } from './validate-challenges.ts';

const FORGETS_EVERY_S = 3600;

export const acme: Area<'acme'> = {
  open: ({ model }) => {
    const indexes = acmeIndexes(model);
    return {
      serve: (runtime) => {
        const { mesh } = runtime;
        const desk = openDesk(runtime, indexes);
        const validation = new ValidateChallenges(runtime);
        return {
          handlers: {
            'acme.bind': (call) => bind(mesh, call),
            'acme.accounts': (call) => listAccounts(mesh, call),
            'acme.deactivate': (call) => deactivateAccount(call),
          },
          protocol: new AcmeProtocol(desk),
          duties: [validation, periodic('acme.forget', FORGETS_EVERY_S, () => forgetOrders(mesh))],
          dismiss: () => validation.dismiss(),
          close: () => desk.nonces.close(),
        };
      },
    };
  },
};
