/** Setting up an authenticator: its secret waits in the session until a first code confirms it. */
import type { Person } from '../../../callers/caller.ts';
import type { Transaction } from '../../../ledger/transaction.ts';
import type { Seal } from '../../../seal.ts';
import { ownAccount } from '../own-account.ts';
import { SignInFailed } from '../sign-in-failed.ts';
import { newTotpSecret, stepOfCode, totpUri } from './authenticator.ts';
import { newRecoveryCodes } from './recovery-codes.ts';

/** An authenticator that is in use already stays so until the new one is confirmed. */
export function beginTotp(tx: Transaction, person: Person, seal: Seal) {
  const { user, session } = ownAccount(tx, person);
  const secret = newTotpSecret();
  tx.put('session', session.id, { ...session.body, totp_draft: seal.seal(secret, user.id) });
  return { secret, uri: totpUri(secret, user.body.name) };
}

/** Gives the recovery codes. The code that confirms the secret counts as used. */
export function finishTotp(tx: Transaction, person: Person, given: { readonly code: string; readonly seal: Seal }) {
  const { user, session } = ownAccount(tx, person);
  const draft = session.body.totp_draft;
  if (draft === null) throw new SignInFailed(person.id, 'There is no authenticator to confirm. Start over.');
  const secret = given.seal.open(draft, person.id);
  const last_step = stepOfCode(secret, given.code.replace(/\s/g, ''), tx.now_ms);
  if (last_step === undefined) {
    throw new SignInFailed(person.id, 'The code is incorrect. Check the clock of your authenticator.');
  }
  const { codes, hashes } = newRecoveryCodes();
  tx.put('session', session.id, { ...session.body, totp_draft: null });
  const totp = { secret: given.seal.seal(secret, person.id), last_step, recovery_codes: hashes };
  tx.put('user', person.id, { ...user.body, totp });
  tx.record({ target: { kind: 'user', id: person.id }, detail: 'an authenticator is in use' });
  return codes;
}
