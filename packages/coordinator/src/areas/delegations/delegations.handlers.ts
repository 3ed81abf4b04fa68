/** Delegations: short-lived tokens through which people speak who are signed in to the panel. */
import type { Mesh } from '../../mesh/mesh.ts';
import type { AreaHandlers } from '../handler.ts';
import { createDelegation } from './create-delegation.ts';
import { endDelegation } from './end-delegation.ts';
import { retirePerson } from './retire-person.ts';

export function delegationHandlers(mesh: Mesh): AreaHandlers<'delegations'> {
  return {
    'delegations.create': (call) => createDelegation(mesh, call),
    'delegations.retire': (call) => retirePerson(mesh, call),
    'delegations.end': endDelegation,
  };
}
