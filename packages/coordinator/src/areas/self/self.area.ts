/** Who the caller is and what it may do. */
import {
  ALL_PERMISSIONS,
  OPERATION_IDS,
  OPERATIONS,
  PERMISSIONS,
  type PermissionInfo,
  type Whoami,
} from '@meshwork/contract';
import { usesOf } from '../../access/token-uses.ts';
import { refOf, type TokenActor } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers, Reply } from '../handler.ts';

export const self: Area<'self'> = {
  open: () => ({ serve: ({ mesh }) => ({ handlers: handlersOf(mesh) }) }),
};

function handlersOf(mesh: Mesh): AreaHandlers<'self'> {
  return {
    'self.whoami': (call) => (isUsedUp(mesh, call.actor) ? usedUp(call.actor) : whoami(call.actor)),
    'self.permissions': (call) => ({
      body: {
        items: catalogue.map((row) => ({ ...row, granted: call.actor.permissions.has(row.name) })),
        next_cursor: null,
      },
    }),
  };
}

/** Counted apart from the actor: a token that was rotated shares the number of its successor. */
function isUsedUp({ model }: Mesh, { id }: TokenActor): boolean {
  const token = model.get('token', id);
  return token !== undefined && usesOf(model, token).body.uses_left === 0;
}

function usedUp(actor: TokenActor): Reply<'self.whoami'> {
  return { body: { ...whoamiOf(actor), state: 'used_up' } };
}

const answers = new WeakMap<TokenActor, Reply<'self.whoami'>>();

/** An actor never changes, so neither does this; the most frequent read need not be written out each time. */
function whoami(actor: TokenActor): Reply<'self.whoami'> {
  let answer = answers.get(actor);
  if (answer === undefined) {
    const body = whoamiOf(actor);
    answer = { body, json: JSON.stringify(body) };
    answers.set(actor, answer);
  }
  return answer;
}

function whoamiOf(actor: TokenActor): Whoami {
  const { scope, role, state, expires } = actor;
  return { actor: refOf(actor), scope, role, permissions: [...actor.permissions], state, expires };
}

const catalogue = ALL_PERMISSIONS.map((name) => ({
  name,
  description: PERMISSIONS[name],
  operations: OPERATION_IDS.filter((id) => OPERATIONS[id].permission === name) as PermissionInfo['operations'],
}));
