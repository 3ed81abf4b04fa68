import type { User, UserId } from '@meshwork/contract';
import { lastSeenAt } from '../ledger/activity.ts';
import type { Stored, UserDocument, View } from '../ledger/documents.ts';
import { pendingFor } from './retire-tokens.ts';

/** A person as others may see them. */
export function userRecord(view: View, { id, body }: Stored<'user'>): User {
  const { name, display_name, role, scope, state, groups = [], provider_groups = [], created_at, created_by } = body;
  return {
    id: id as UserId,
    name,
    display_name,
    role,
    scope,
    state,
    groups: [...groups],
    provider_groups: [...provider_groups],
    signs_in_by: signsInBy(body),
    created_at,
    created_by,
    last_seen_at: lastSeenAt(view, id),
    tokens_pending: pendingFor(view, id).some((pending) => pending.body.keep_tokens !== true),
  };
}

function signsInBy({ password, totp, passkeys, oidc }: UserDocument): User['signs_in_by'] {
  return [
    ...(password === null ? [] : ['password' as const]),
    ...(totp === null ? [] : ['totp' as const]),
    ...(passkeys.length === 0 ? [] : ['passkey' as const]),
    ...(oidc === null ? [] : ['oidc' as const]),
  ];
}
