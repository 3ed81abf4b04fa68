import { isId, type UserId } from '@meshwork/contract';
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { PasskeyDocument } from '../../../ledger/documents.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RelyingParty } from './relying-party.ts';
import type { SignInChallenges } from './sign-in-challenges.ts';

/** What it takes to check an answer of `navigator.credentials.get`. */
export interface PasskeyParts {
  readonly ledger: Ledger;
  /** Null: browsers have no passkeys at this address. */
  readonly relying_party: RelyingParty | null;
  readonly challenges: SignInChallenges;
}

/** A passkey that signed a challenge of this panel. It counts once `usePasskey` has taken it. */
export interface ProvenPasskey {
  readonly user: UserId;
  readonly passkey: string;
  readonly counter: number;
  readonly issued_ms: number;
}

/** Undefined: it proves nothing. The caller does not learn why. */
export async function verifyPasskey(
  { ledger, relying_party, challenges }: PasskeyParts,
  given: Readonly<Record<string, unknown>>,
  now_ms: number,
): Promise<ProvenPasskey | undefined> {
  const response = given as unknown as AuthenticationResponseJSON;
  const user = userOf(response);
  const passkey = ledger.get('user', user ?? '')?.body.passkeys.find(({ id }) => id === response.id);
  if (relying_party === null || user === undefined || passkey === undefined) return undefined;
  let issued_ms: number | undefined;
  const expectedChallenge = (challenge: string) => {
    issued_ms = challenges.issuedAt(challenge, now_ms);
    return issued_ms !== undefined;
  };
  const verdict = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: relying_party.origin,
    expectedRPID: relying_party.id,
    credential: credentialOf(passkey),
    requireUserVerification: true,
    // The library throws for everything that is wrong with an answer, from a bad signature to a field that is missing.
  }).catch(() => undefined);
  if (verdict?.verified !== true || issued_ms === undefined) return undefined;
  return { user, passkey: passkey.id, counter: verdict.authenticationInfo.newCounter, issued_ms };
}

/** A passkey stores the id of its person and sends it, so that no name has to be typed. */
function userOf(given: Partial<AuthenticationResponseJSON>): UserId | undefined {
  const handle: unknown = given.response?.userHandle;
  if (typeof handle !== 'string') return undefined;
  const id = Buffer.from(handle, 'base64url').toString();
  return isId('user', id) ? id : undefined;
}

function credentialOf({ id, public_key, counter }: PasskeyDocument) {
  return { id, publicKey: Uint8Array.from(Buffer.from(public_key, 'base64url')), counter };
}
