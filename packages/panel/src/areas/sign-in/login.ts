import type { UserId } from '@meshwork/contract';
import { knownPrefixesOf } from '../../ledger/activity.ts';
import type { Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import type { Attempt } from './attempts.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { SignInFailed } from './sign-in-failed.ts';

/** Costs the same whether or not there is such a person, and whatever state they are in. */
export async function login(parts: PanelParts, call: Call<'auth.login'>): Promise<Reply<'auth.login'>> {
  const { ledger } = parts;
  const account = call.body.name.trim().toLowerCase();
  const id = ledger.get('name', account)?.body.user ?? null;
  const user = id === null ? undefined : ledger.get('user', id);
  const stored = user?.body.state === 'active' ? user.body.password : null;
  const prefixes = id === null ? [] : knownPrefixesOf(ledger, id);
  const attempt = parts.attempts.begin(account, call.address, prefixes);
  if (!(await isRight(parts, { password: call.body.password, stored }, attempt))) throw new SignInFailed(id);
  // The password is correct. A store that fails later does not count against the person.
  attempt.withdraw();
  return finishSignIn(parts, call, (tx) => {
    const current = id === null ? undefined : tx.get('user', id);
    // The password was changed during the check.
    if (current === undefined || current.body.password !== stored) throw new SignInFailed(id);
    return { user: current, method: 'password' };
  });
}

/** An attempt that could not be checked does not count. */
export async function isRight(
  { passwords }: Pick<PanelParts, 'passwords'>,
  { password, stored }: { readonly password: string; readonly stored: string | null },
  attempt: Attempt,
): Promise<boolean> {
  try {
    return await passwords.isRight(password, stored);
  } catch (error) {
    attempt.withdraw();
    throw error;
  }
}

/** Checks the password of a person who is already signed in. */
export async function ensureOwnPassword(
  parts: PanelParts,
  call: Pick<Call<'auth.confirm'>, 'address'>,
  user: { readonly id: string; readonly name: string; readonly password: string | null; readonly given: string },
): Promise<void> {
  const prefixes = knownPrefixesOf(parts.ledger, user.id);
  const attempt = parts.attempts.begin(user.name, call.address, prefixes);
  if (!(await isRight(parts, { password: user.given, stored: user.password }, attempt))) {
    throw new SignInFailed(user.id as UserId, 'The password is incorrect.');
  }
  attempt.withdraw();
}
