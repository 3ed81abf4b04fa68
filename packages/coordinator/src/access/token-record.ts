import { type Token, utc } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';
import type { Presence } from '../mesh/presence.ts';
import { heldPermissions } from './held-permissions.ts';
import { shownState } from './shown-state.ts';
import { usesOf } from './token-uses.ts';

/** A token as callers see it: everything but the hash of its secret. */
export function tokenRecord(
  view: View,
  token: Stored<'token'>,
  moment: { readonly now_ms: number; readonly presence: Presence },
): Token {
  const { name, scope, role, expires, created_at, created_by, retires_at, rotated_from, rotated_to, revoked_at } =
    token.body;
  const lastSeen = moment.presence.lastSeen(token.id);
  return {
    id: token.id,
    name,
    scope,
    role,
    permissions: [...heldPermissions(view, token, moment.now_ms)],
    state: shownState(view, token, moment.now_ms),
    expires,
    created_at,
    created_by,
    last_used_at: lastSeen === undefined ? null : utc(lastSeen),
    retires_at,
    rotated_from,
    rotated_to,
    revoked_at,
    uses_left: usesOf(view, token).body.uses_left ?? null,
    on_behalf_of: token.body.on_behalf_of ?? null,
    tags: (token.body.tags ?? []).map(({ tag }) => tag),
  };
}
