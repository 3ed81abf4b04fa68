import type { Profile } from '@meshwork/contract';
import type { Stored } from '../../ledger/documents.ts';
import { userRecord } from '../../users/user-record.ts';

/** What people see of their own account. */
export function profileOf(view: Parameters<typeof userRecord>[0], user: Stored<'user'>): Profile {
  const { appearance, password, totp, passkeys, oidc } = user.body;
  return {
    user: userRecord(view, user),
    appearance,
    has_password: password !== null,
    totp: { enabled: totp !== null, recovery_codes_left: totp?.recovery_codes.length ?? 0 },
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({ id, name, created_at, last_used_at })),
    oidc: oidc?.label ?? null,
  };
}
