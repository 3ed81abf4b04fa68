import type { IngressAssignment } from '@meshwork/contract';
import { INGRESS_PROOF_PATH } from '@meshwork/contract/vocabulary';
import { LUA_MODULE } from './lua/program.ts';
import { block, type Directive, directive, luaBlock, withVariables } from './nginx-text.ts';

/**
 * Where the gateway proves itself: see `lua/proofs.ts`. Before all that an ingress asks of requests. The path of a
 * route ends with a slash where it has a prefix, so that none is the same.
 */
export function proofPlace(ingress: Pick<IngressAssignment, 'id'>): Directive {
  return block('location', ['^~', INGRESS_PROOF_PATH], showing(ingress));
}

/** Where nginx refuses a client for its certificate, which it does before it looks for a location. In front of what it answers with. */
export function proofWhereRefused(ingress: Pick<IngressAssignment, 'id'>): Directive {
  const path = INGRESS_PROOF_PATH.replaceAll('.', '[.]');
  return block('if', [withVariables('($uri'), '~', `^${path})`], [...showing(ingress), directive('break')]);
}

function showing({ id }: Pick<IngressAssignment, 'id'>): readonly Directive[] {
  return [
    directive('access_log', 'off'), // no request of people
    directive('set', withVariables('$mesh_checked'), id),
    luaBlock('content_by_lua_block', `${LUA_MODULE}.say_proof()`),
  ];
}
