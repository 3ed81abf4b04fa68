/** Adds and removes passkeys. The challenge is stored in the session, for one use within five minutes. */
import { MeshError, utc } from '@meshwork/contract';
import type { Person } from '../../../callers/caller.ts';
import type { Stored } from '../../../ledger/documents.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Transaction } from '../../../ledger/transaction.ts';
import type { Call } from '../../handler.ts';
import { isMadeByProvider } from '../oidc/admit-person.ts';
import { ownAccount } from '../own-account.ts';
import { SignInFailed } from '../sign-in-failed.ts';
import { creationOptions, isKnownPasskey, verifyNewPasskey } from './passkey-ceremony.ts';
import type { RelyingParty } from './relying-party.ts';
import { CHALLENGE_LIFETIME_MS } from './sign-in-challenges.ts';

/** Of one person. */
export const MAX_PASSKEYS = 20;

export async function beginPasskey(
  { ledger, relying_party }: Parts,
  call: Call<'passkeys.begin'>,
  person: Person,
): Promise<Record<string, unknown>> {
  ensureMayHaveOne(person.user);
  const options = await creationOptions(relying_party, person.user);
  await ledger.transact(call.cause, (tx) => {
    const until = utc(tx.now_ms + CHALLENGE_LIFETIME_MS);
    const { session } = ownAccount(tx, person);
    tx.put('session', session.id, { ...session.body, challenge: { value: options.challenge, until } });
  });
  return { ...options };
}

export async function addPasskey(
  { ledger, relying_party }: Parts,
  call: Call<'passkeys.add'>,
  person: Person,
): Promise<Stored<'user'>> {
  // Taken before the check, so that no challenge works twice, not even in concurrent requests.
  const challenge = await ledger.transact(call.cause, (tx) => takeChallenge(tx, person));
  const made =
    challenge === undefined ? undefined : await verifyNewPasskey(relying_party, call.body.response, challenge);
  if (made === undefined) throw new SignInFailed(person.id, 'The passkey could not be verified. Start over.');
  return ledger.transact(call.cause, (tx) => {
    const { user } = ownAccount(tx, person);
    ensureMayHaveOne(user);
    if (isKnownPasskey(tx.all('user'), made.id))
      throw new MeshError('already_exists', 'This passkey is already registered.');
    const passkey = {
      ...made,
      name: call.body.name,
      created_at: utc(tx.now_ms),
      last_used_at: null,
      last_challenge_ms: 0,
    };
    tx.record({ target: { kind: 'user', id: person.id }, detail: `the passkey ${passkey.name}` });
    return tx.put('user', person.id, { ...user.body, passkeys: [...user.body.passkeys, passkey] });
  });
}

export function removePasskey(tx: Transaction, person: Person, id: string): Stored<'user'> {
  const { user } = ownAccount(tx, person);
  const removed = user.body.passkeys.find((passkey) => passkey.id === id);
  if (removed === undefined) throw new MeshError('not_found', 'You have no such passkey.');
  tx.record({ target: { kind: 'user', id: person.id }, detail: `the passkey ${removed.name}` });
  const passkeys = user.body.passkeys.filter((passkey) => passkey !== removed);
  return tx.put('user', person.id, { ...user.body, passkeys });
}

interface Parts {
  readonly ledger: Ledger;
  readonly relying_party: RelyingParty;
}

function takeChallenge(tx: Transaction, person: Person): string | undefined {
  const { id, body } = ownAccount(tx, person).session;
  if (body.challenge === null) return undefined;
  tx.put('session', id, { ...body, challenge: null });
  return tx.now_ms < Date.parse(body.challenge.until) ? body.challenge.value : undefined;
}

function ensureMayHaveOne({ body }: Stored<'user'>): void {
  // The provider decides whether they may still sign in: a passkey would outlast their account there.
  if (isMadeByProvider(body) && body.oidc !== null) {
    throw new MeshError(
      'not_found',
      'You sign in through the identity provider. Passkeys need an account with a password.',
    );
  }
  if (body.passkeys.length < MAX_PASSKEYS) return;
  throw new MeshError('too_many', `You can have at most ${MAX_PASSKEYS} passkeys.`);
}
