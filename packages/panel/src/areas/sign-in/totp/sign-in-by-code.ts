import type { Person } from '../../../callers/caller.ts';
import { knownPrefixesOf } from '../../../ledger/activity.ts';
import type { Seal } from '../../../seal.ts';
import type { Call } from '../../handler.ts';
import { type FinishedSignIn, finishSignIn, type SignInParts } from '../finish-sign-in.ts';
import { ownAccount } from '../own-account.ts';
import { SignInFailed } from '../sign-in-failed.ts';
import { checkTotp } from './check-totp.ts';

/** The second factor, after the password. A wrong code counts like a wrong password. */
export async function signInByCode(
  parts: SignInParts & { readonly seal: Seal },
  call: Call<'auth.login_totp'>,
  person: Person,
): Promise<FinishedSignIn> {
  const { id, user } = person;
  const { ledger, attempts, seal } = parts;
  const prefixes = knownPrefixesOf(ledger, id);
  const attempt = attempts.begin(user.body.name, call.address, prefixes);
  try {
    const finished = await finishSignIn(parts, call, (tx) => {
      // The person may have been disabled since the password: a code must not get around that.
      ownAccount(tx, person);
      const method = checkTotp(tx, id, { code: call.body.code, seal });
      const current = tx.get('user', id);
      if (method === undefined || current === undefined) throw new SignInFailed(id);
      return { user: current, method };
    });
    attempt.withdraw();
    return finished;
  } catch (error) {
    if (!(error instanceof SignInFailed)) attempt.withdraw();
    throw error;
  }
}
