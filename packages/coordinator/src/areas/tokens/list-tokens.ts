import { covers, type TokenState } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import { descendsFrom, isChildOf } from '../../access/lineage.ts';
import { shownState } from '../../access/shown-state.ts';
import { tokenRecord } from '../../access/token-record.ts';
import { actsForPerson } from '../../access/token-state.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';

export function listTokens(mesh: Mesh, call: Call<'tokens.list'>): Reply<'tokens.list'> {
  const { state, role, q, made_by, parent, people = false } = call.query;
  const part = q?.toLowerCase();
  const isIn = (wanted: TokenState | undefined, token: Stored<'token'>) =>
    wanted === undefined || shownState(mesh.model, token, call.now_ms) === wanted;
  const body = pageById('tokens.list', call.query, {
    walk: (after) => mesh.model.after('token', after),
    keep: (token: Stored<'token'>) =>
      covers(call.actor.scope, token.body.scope) &&
      (people || !actsForPerson(token.body)) &&
      (role === undefined || token.body.role === role) &&
      (made_by === undefined || descendsFrom(mesh.model, token, made_by)) &&
      (parent === undefined || isChildOf(mesh.model, token, parent)) &&
      (part === undefined || token.body.name.toLowerCase().includes(part)) &&
      isIn(state, token),
    show: (token) => tokenRecord(mesh.model, token, { now_ms: call.now_ms, presence: mesh.presence }),
  });
  return { body };
}
