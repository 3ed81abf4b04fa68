import { invalid } from '@meshwork/contract';
import type { Person } from '../../callers/caller.ts';
import { personOf } from '../../callers/caller.ts';
import { knownPrefixesOf } from '../../ledger/activity.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import { Seal } from '../../seal.ts';
import type { Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { isRight } from './login.ts';
import { ownAccount } from './own-account.ts';
import { passkeyParts } from './passkeys/passkey-parts.ts';
import { usePasskey } from './passkeys/use-passkey.ts';
import { verifyPasskey } from './passkeys/verify-passkey.ts';
import { SignInFailed } from './sign-in-failed.ts';
import { signInState } from './sign-in-state.ts';
import { checkTotp } from './totp/check-totp.ts';

/** A passkey, or the password and, where there is an authenticator, its code. */
export async function confirm(parts: PanelParts, call: Call<'auth.confirm'>): Promise<Reply<'auth.confirm'>> {
  const person = personOf(call);
  const { passkey, password } = call.body;
  if (passkey === undefined && password === undefined) {
    throw invalid('/password', 'is required, unless a passkey is given');
  }
  const use =
    passkey === undefined ? await byPassword(parts, call, person) : await byPasskey(parts, call, { person, passkey });
  const { session, secret } = await parts.ledger.transact(call.cause, (tx) => {
    const own = ownAccount(tx, person);
    use(tx);
    tx.record({ target: { kind: 'session', id: own.session.id } });
    return parts.sessions.prove(tx, own.session);
  });
  return { body: await signInState(parts, session), session_secret: secret };
}

/** What is left to do in the transaction: to use up what is good once. Throws when it was used already. */
type Use = (tx: Transaction) => void;

async function byPassword(parts: PanelParts, call: Call<'auth.confirm'>, { id, user }: Person): Promise<Use> {
  const { password = '', code } = call.body;
  const { name, password: stored } = user.body;
  const prefixes = knownPrefixesOf(parts.ledger, id);
  const attempt = parts.attempts.begin(name, call.address, prefixes);
  if (!(await isRight(parts, { password, stored }, attempt))) throw new SignInFailed(id);
  const seal = new Seal(parts.key, 'totp');
  return (tx) => {
    const current = tx.get('user', id)?.body;
    if (current?.password !== stored) throw new SignInFailed(id);
    if (current.totp !== null && checkTotp(tx, id, { code: code ?? '', seal }) === undefined) {
      throw new SignInFailed(id);
    }
    attempt.withdraw();
  };
}

async function byPasskey(
  parts: PanelParts,
  { now_ms }: Call<'auth.confirm'>,
  { person, passkey }: { readonly person: Person; readonly passkey: Record<string, unknown> },
): Promise<Use> {
  const proven = await verifyPasskey(passkeyParts(parts), passkey, now_ms);
  // The passkey of another person proves nothing about this one.
  if (proven?.user !== person.id) throw new SignInFailed(person.id);
  return (tx) => {
    if (!usePasskey(tx, proven)) throw new SignInFailed(person.id);
  };
}
