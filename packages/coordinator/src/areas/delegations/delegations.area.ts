/** Delegations: short-lived tokens through which people speak who are signed in to the panel. */
import { periodic } from '../../duties/duty.ts';
import type { Area } from '../area.ts';
import { createDelegation } from './create-delegation.ts';
import { endDelegation } from './end-delegation.ts';
import { forgetDelegations } from './forget-delegations.ts';
import { retirePerson } from './retire-person.ts';

export const delegations: Area<'delegations'> = {
  open: () => ({
    serve: ({ mesh }) => ({
      handlers: {
        'delegations.create': (call) => createDelegation(mesh, call),
        'delegations.retire': (call) => retirePerson(mesh, call),
        'delegations.end': endDelegation,
      },
      duties: [periodic('delegations.forget', 3600, () => forgetDelegations(mesh))],
    }),
  }),
};
