/** Delegations: short-lived tokens through which people speak who are signed in to the panel. */
import type { Mesh } from '../../mesh/mesh.ts';
import type { AreaHandlers } from '../handler.ts';
import { createDelegation } from './create-delegation.ts';
import { endDelegation } from './end-delegation.ts';

export function delegationHandlers(mesh: Mesh): AreaHandlers<'delegations'> {
  return {
    'delegations.create': (call) => createDelegation(mesh, call),
    'delegations.end': endDelegation,
  };
}
