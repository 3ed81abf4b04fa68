import type { TokenState } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';
import { tokenState, works } from './token-state.ts';
import { usesOf } from './token-uses.ts';

/**
 * The state as listings show it. A token that has enrolled all the nodes it was made for still authenticates, so that
 * an enrolment whose answer was lost can be sent again; but operators must not take it for one that can be handed out.
 */
export function shownState(view: View, token: Stored<'token'>, now_ms: number): TokenState {
  const state = tokenState(token.body, now_ms);
  return works(state) && usesOf(view, token).body.uses_left === 0 ? 'used_up' : state;
}
