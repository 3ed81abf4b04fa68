/**
 * The only place that opens a session for a person who has proven their identity: by password, code, passkey, provider, setup
 * code or invitation.
 */
import type { Session, SignInState, UserId } from '@meshwork/contract';
import { noteActivity } from '../../ledger/activity.ts';
import type { Stored } from '../../ledger/documents.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import type { OpenedSession } from '../../sessions/sessions.ts';
import { personRef } from '../../users/person-ref.ts';
import type { Call } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { prefixHash } from './attempts.ts';
import { SignInFailed } from './sign-in-failed.ts';
import { signInState } from './sign-in-state.ts';

interface Proof {
  /** As the transaction has them. */
  readonly user: Stored<'user'>;
  /** `password` is only the first factor of a person with an authenticator. Every other method is enough. */
  readonly method: Session['method'];
  /** True: the provider vouches for the person, and may not have asked for a proof just now. Absent: they gave one just now. */
  readonly vouched?: boolean;
}

export type SignInParts = Pick<PanelParts, 'ledger' | 'sessions' | 'access' | 'attempts' | 'config'>;
type SignInCall = Pick<Call<'auth.login'>, 'person' | 'cause' | 'address' | 'user_agent'>;

/** The body and the cookie of a reply that signs a person in. */
export interface FinishedSignIn {
  readonly body: SignInState;
  readonly session_secret: string;
}

/**
 * Runs `prove` and opens the session in one transaction: what the proof used up (a code, an invitation) is used up exactly
 * when there is a session for it. `prove` throws to refuse. Whatever session the browser came with ends.
 */
export async function finishSignIn(
  parts: SignInParts,
  call: SignInCall,
  prove: (tx: Transaction) => Proof,
): Promise<FinishedSignIn> {
  const { session, secret } = await parts.ledger.transact(call.cause, (tx) => openFor(parts, call, tx, prove(tx)));
  return { body: await signInState(parts, session), session_secret: secret };
}

function openFor(parts: SignInParts, call: SignInCall, tx: Transaction, proof: Proof): OpenedSession {
  const { sessions, attempts } = parts;
  const { user, method } = proof;
  if (user.body.state !== 'active') throw new SignInFailed(user.id as UserId);
  if (call.person !== null) sessions.end(tx, call.person.session);
  const state = method === 'password' && user.body.totp !== null ? 'halfway' : 'open';
  const { address, user_agent } = call;
  const proven = proof.vouched !== true;
  const opened = sessions.open(tx, { user: user.id as UserId, state, method, proven, address, user_agent });
  if (state === 'halfway') return opened; // recorded after the second factor
  attempts.succeeded(user.body.name, address);
  noteActivity(tx, user.id, prefixHash(user.body.name, address));
  tx.record({ actor: personRef(user), target: { kind: 'session', id: opened.session.id }, detail: `by ${method}` });
  return opened;
}
