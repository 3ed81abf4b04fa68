import { ERRORS, MeshError, type Permission, type SignInState } from '@meshwork/contract';
import type { Stored } from '../../ledger/documents.ts';
import { confirmedUntil } from '../../sessions/sessions.ts';
import { userRecord } from '../../users/user-record.ts';
import type { PanelParts } from '../parts.ts';

type StateParts = Pick<PanelParts, 'ledger' | 'sessions' | 'access' | 'config'>;

/** The sign-in state of a browser with this session. */
export async function signInState(parts: StateParts, session: Stored<'session'> | null): Promise<SignInState> {
  const { ledger, sessions, access, config } = parts;
  const user = session === null ? undefined : ledger.get('user', session.body.user);
  if (session === null || user === undefined) return { state: 'signed_out' };
  const csrf_token = sessions.csrfTokenOf(session);
  if (session.body.state === 'halfway') {
    const methods: ('totp' | 'recovery_code' | 'passkey')[] = ['totp'];
    if ((user.body.totp?.recovery_codes.length ?? 0) > 0) methods.push('recovery_code');
    if (user.body.passkeys.length > 0) methods.push('passkey');
    return { state: 'halfway', csrf_token, methods };
  }
  const permissions = await permissionsOrNone(parts, { user, session });
  const { expires } = session.body;
  return {
    state: 'signed_in',
    csrf_token,
    user: userRecord(ledger, user),
    permissions: [...permissions],
    session: { id: session.id, expires, confirmed_until: confirmedUntil(session, ledger.clock.now()) },
    coordinator: { reachable: access.reachable, url: config.coordinator_public_url },
  };
}

/** Signing in works without the coordinator, with no permissions. */
async function permissionsOrNone(
  { access }: StateParts,
  person: { user: Stored<'user'>; session: Stored<'session'> },
): Promise<Iterable<Permission>> {
  try {
    return await access.permissionsOf(person);
  } catch (error) {
    if (error instanceof MeshError && ERRORS[error.code].retryable) return [];
    throw error;
  }
}
