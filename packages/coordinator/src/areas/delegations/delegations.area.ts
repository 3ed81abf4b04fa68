/** Delegations: short-lived tokens through which people speak who are signed in to the panel. */
import { periodic } from '../../duties/duty.ts';
import { Passes } from '../../mesh/passes.ts';
import type { Area } from '../area.ts';
import { announcePanel } from './announce-panel.ts';
import { createDelegation } from './create-delegation.ts';
import { createPass } from './create-pass.ts';
import { endDelegation } from './end-delegation.ts';
import { forgetDelegations } from './forget-delegations.ts';
import { forgetEntryEnds } from './forget-entry-ends.ts';
import { retirePerson } from './retire-person.ts';

export const delegations: Area<'delegations'> = {
  open: ({ vault }) => {
    const passes = new Passes(vault.data_keys);
    return {
      serve: ({ mesh }) => ({
        handlers: {
          'delegations.create': (call) => createDelegation(mesh, call),
          'delegations.retire': (call) => retirePerson(mesh, call),
          'delegations.pass': (call) => createPass(passes, call),
          'delegations.announce': announcePanel,
          'delegations.end': endDelegation,
        },
        duties: [
          periodic('delegations.forget', 3600, () => forgetDelegations(mesh)),
          periodic('delegations.forget_ends', 3600, () => forgetEntryEnds(mesh)),
        ],
      }),
    };
  },
};
