import { type ActorRef, MeshError } from '@meshwork/contract';
import { ancestryOf } from '../../access/lineage.ts';
import { tokenState, works } from '../../access/token-state.ts';
import { refOf, type TokenActor } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** Ours: each use of a token looks at all that it comes from and that still works. */
const MAX_GENERATIONS = 32;

/** Who makes a token, as its document has it. */
export function makerOf(
  view: View,
  actor: TokenActor,
  now_ms: number,
): { readonly created_by: ActorRef; readonly made_as?: string } {
  if (actor.on_behalf_of !== null) return { created_by: refOf(actor), made_as: actor.role };
  const token = view.get('token', actor.id);
  const isValid = ({ body }: Stored<'token'>) => works(tokenState(body, now_ms));
  if (token !== undefined && ancestryOf(view, token).tokens.filter(isValid).length >= MAX_GENERATIONS) {
    const detail = `There can be ${MAX_GENERATIONS} valid tokens above another. Use one that is nearer to the first.`;
    throw new MeshError('too_many', detail);
  }
  return { created_by: refOf(actor) };
}
