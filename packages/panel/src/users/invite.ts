import { randomBytes } from 'node:crypto';
import { INVITATION_LIFETIME_S, type Invitation, type UserId, utc } from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';
import type { Transaction } from '../ledger/transaction.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Site } from '../site.ts';
import { hashOfCode } from './secret-code.ts';

type InvitationLink = Omit<Invitation, 'user'>;

/** A link to choose a password. It replaces the one before, which stops working. */
export function invite(tx: Transaction, user: string, site: Site, lifetime_s = INVITATION_LIFETIME_S): InvitationLink {
  const code = randomBytes(32).toString('base64url');
  const expires = utc(tx.now_ms + lifetime_s * 1000);
  tx.put('invitation', user, { code_sha256: hashOfCode(code), expires });
  // Behind the `#`, which browsers keep to themselves: it is in no log of a server or proxy.
  return { code, url: new URL(`/invitation#${code}`, site.url).href, expires };
}

/** Removes all ways to sign in and ends the sessions. The person needs a new invitation. */
export function forgetSignIn(tx: Transaction, sessions: Sessions, { id, body }: Stored<'user'>): Stored<'user'> {
  sessions.endAll(tx, id as UserId);
  forgetIdentities(tx, id);
  return tx.put('user', id, { ...body, state: 'invited', password: null, totp: null, passkeys: [], oidc: null });
}

/** Who they are at the provider. */
export function forgetIdentities(tx: Transaction, user: string): void {
  for (const { id, body } of [...tx.all('identity')]) if (body.user === user) tx.delete('identity', id);
}
