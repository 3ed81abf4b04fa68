/** Who the caller is and what it may do. */
import {
  ALL_PERMISSIONS,
  OPERATION_IDS,
  OPERATIONS,
  PERMISSIONS,
  type PermissionInfo,
  type Whoami,
} from '@meshwork/contract';
import { refOf, type TokenActor } from '../../mesh/actor.ts';
import type { AreaHandlers, Reply } from '../handler.ts';

export function selfHandlers(): AreaHandlers<'self'> {
  return {
    'self.whoami': (call) => whoami(call.actor),
    'self.permissions': (call) => ({
      body: {
        items: catalogue.map((row) => ({ ...row, granted: call.actor.permissions.has(row.name) })),
        next_cursor: null,
      },
    }),
  };
}

const answers = new WeakMap<TokenActor, Reply<'self.whoami'>>();

/** An actor never changes, so neither does this; the most frequent read need not be written out each time. */
function whoami(actor: TokenActor): Reply<'self.whoami'> {
  let answer = answers.get(actor);
  if (answer === undefined) {
    const { scope, role, state, expires } = actor;
    const body: Whoami = { actor: refOf(actor), scope, role, permissions: [...actor.permissions], state, expires };
    answer = { body, json: JSON.stringify(body) };
    answers.set(actor, answer);
  }
  return answer;
}

const catalogue = ALL_PERMISSIONS.map((name) => ({
  name,
  description: PERMISSIONS[name],
  operations: OPERATION_IDS.filter((id) => OPERATIONS[id].permission === name) as PermissionInfo['operations'],
}));
