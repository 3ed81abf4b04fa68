/**
 * Tokens: scoped credentials for automation. Start with `create-token.ts`; `access/token-state.ts` has the life of a
 * token, `access/token-secret.ts` its secret.
 */

import { tokenRecord } from '../../access/token-record.ts';
import { periodic } from '../../duties/duty.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import { announceExpiry } from './announce-expiry.ts';
import { createToken } from './create-token.ts';
import { findToken } from './find-token.ts';
import { listTokens } from './list-tokens.ts';
import { revokeToken } from './revoke-token.ts';
import { rotateToken } from './rotate-token.ts';
import { tokenSummary } from './token-summary.ts';

export const tokens: Area<'tokens'> = {
  open: () => ({
    serve: ({ mesh }) => ({
      handlers: handlersOf(mesh),
      duties: [periodic('tokens.announce_expiry', 60, () => announceExpiry(mesh))],
      overview: tokenSummary,
    }),
  }),
};

function handlersOf(mesh: Mesh): AreaHandlers<'tokens'> {
  return {
    'tokens.create': (call) => createToken(mesh, call),
    'tokens.list': (call) => listTokens(mesh, call),
    'tokens.show': (call) => {
      const token = findToken(mesh.model, call.params.id, call.actor);
      const body = tokenRecord(mesh.model, token, { now_ms: call.now_ms, presence: mesh.presence });
      return { body, revision: token.revision };
    },
    'tokens.rotate': (call) => rotateToken(mesh, call),
    'tokens.revoke': (call) => revokeToken(mesh, call),
  };
}
