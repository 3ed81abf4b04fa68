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
import type { AreaHandlers } from '../handler.ts';

export function selfHandlers(): AreaHandlers<'self'> {
  return {
    'self.whoami': (call) => ({ body: whoami(call.actor) }),
    'self.permissions': (call) => ({
      body: {
        items: catalogue.map((row) => ({ ...row, granted: call.actor.permissions.has(row.name) })),
        next_cursor: null,
      },
    }),
  };
}

const answers = new WeakMap<TokenActor, Whoami>();

/** An actor never changes, so neither does this; the most frequent read need not build it each time. */
function whoami(actor: TokenActor): Whoami {
  let answer = answers.get(actor);
  if (answer === undefined) {
    const { scope, role, state, expires } = actor;
    answer = { actor: refOf(actor), scope, role, permissions: [...actor.permissions], state, expires };
    answers.set(actor, answer);
  }
  return answer;
}

const catalogue = ALL_PERMISSIONS.map((name) => ({
  name,
  description: PERMISSIONS[name],
  operations: OPERATION_IDS.filter((id) => OPERATIONS[id].permission === name) as PermissionInfo['operations'],
}));
