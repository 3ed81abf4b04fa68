import type { UserId } from '@meshwork/contract';
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
  const prefixes = id === null ? [] : (ledger.get('sighting', id)?.body.households ?? []);
  const attempt = parts.attempts.begin(account, call.address, prefixes);
  if (!(await isRight(parts, { password: call.body.password, stored }, attempt))) throw new SignInFailed(id);
  // Right, whatever becomes of it: a store that is away is no failure of the person.
  attempt.withdraw();
  return finishSignIn(parts, call, (tx) => {
    const current = id === null ? undefined : tx.get('user', id);
    // Changed while it was checked: the one that was given is not right any more.
    if (current === undefined || current.body.password !== stored) throw new SignInFailed(id);
    return { user: current, method: 'password' };
  });
}

/** An attempt that nobody had time to look at counts as none. */
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

/** The same for somebody who is signed in, and gives the password once more. */
export async function ensureOwnPassword(
  parts: PanelParts,
  call: Pick<Call<'auth.confirm'>, 'address'>,
  user: { readonly id: string; readonly name: string; readonly password: string | null; readonly given: string },
): Promise<void> {
  const prefixes = parts.ledger.get('sighting', user.id)?.body.households ?? [];
  const attempt = parts.attempts.begin(user.name, call.address, prefixes);
  if (!(await isRight(parts, { password: user.given, stored: user.password }, attempt))) {
    throw new SignInFailed(user.id as UserId, 'The password is not right.');
  }
  attempt.withdraw();
}
