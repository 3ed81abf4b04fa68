import { type ActorRef, covers, type TokenState } from '@meshwork/contract';
import { tokenRecord } from '../../access/token-record.ts';
import { speaksForPerson, tokenState } from '../../access/token-state.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';
import { pageById } from '../pages.ts';

export function listTokens(mesh: Mesh, call: Call<'tokens.list'>): Reply<'tokens.list'> {
  const { state, role, q, made_by, people = false } = call.query;
  const part = q?.toLowerCase();
  const isIn = (wanted: TokenState | undefined, token: Stored<'token'>) =>
    wanted === undefined || tokenState(token.body, call.now_ms) === wanted;
  const body = pageById('tokens.list', call.query, {
    walk: (after) => mesh.model.after('token', after),
    keep: (token: Stored<'token'>) =>
      covers(call.actor.scope, token.body.scope) &&
      (people || !speaksForPerson(token.body)) &&
      (role === undefined || token.body.role === role) &&
      (made_by === undefined || wasMadeBy(mesh.model, token, made_by)) &&
      (part === undefined || token.body.name.toLowerCase().includes(part)) &&
      isIn(state, token),
    show: (token) => tokenRecord(mesh.model, token, { now_ms: call.now_ms, presence: mesh.presence }),
  });
  return { body };
}

/** Whoever made a token has all that is made with it. A maker is older than what it made, so this ends. */
function wasMadeBy(view: View, token: Stored<'token'>, maker: string): boolean {
  for (let made: Stored<'token'> | undefined = token; made !== undefined; ) {
    const { kind, id }: ActorRef = made.body.created_by;
    if (id === maker) return true;
    made = kind === 'token' && id !== null ? view.get('token', id) : undefined;
  }
  return false;
}
