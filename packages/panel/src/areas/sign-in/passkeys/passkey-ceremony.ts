/** Adding a passkey: the options for the browser, and the check of what it made of them. */
import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Stored } from '../../../ledger/documents.ts';
import type { RelyingParty } from './relying-party.ts';
import { CHALLENGE_LIFETIME_MS } from './sign-in-challenges.ts';

/** EdDSA, ES256 and RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257];
/** Those of WebAuthn level 3. What else a browser names is not kept. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
/** More than any key of those algorithms takes. */
const MAX_KEY_BYTES = 2048;
const MAX_ID_BYTES = 768;

interface NewPasskey {
  readonly id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** The passkey is to be kept on the authenticator with whose it is, and to verify its person: it stands for both factors. */
export function creationOptions(relying_party: RelyingParty, { id, body }: Stored<'user'>) {
  return generateRegistrationOptions({
    rpName: 'Meshwork',
    rpID: relying_party.id,
    userID: Uint8Array.from(Buffer.from(id)),
    userName: body.name,
    userDisplayName: body.display_name,
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    excludeCredentials: body.passkeys.map((passkey) => ({ id: passkey.id, transports: [...passkey.transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Undefined: it is no answer to the challenge, or not one of a verified person. */
export async function verifyNewPasskey(
  relying_party: RelyingParty,
  given: Readonly<Record<string, unknown>>,
  challenge: string,
): Promise<NewPasskey | undefined> {
  const verdict = await verifyRegistrationResponse({
    response: given as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relying_party.origin,
    expectedRPID: relying_party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
    // The library throws for everything that is wrong with an answer, from a bad flag to a field that is missing.
  }).catch(() => undefined);
  if (verdict?.verified !== true) return undefined;
  const { id, publicKey, counter, transports } = verdict.registrationInfo.credential;
  if (publicKey.length > MAX_KEY_BYTES || Buffer.byteLength(id, 'base64url') > MAX_ID_BYTES) return undefined;
  const named: unknown = transports;
  return {
    id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: Array.isArray(named) ? TRANSPORTS.filter((transport) => named.includes(transport)) : [],
  };
}

/** Whether any person has it already: a passkey belongs to one person. */
export function isKnownPasskey(users: Iterable<Stored<'user'>>, id: string): boolean {
  for (const user of users) if (user.body.passkeys.some((passkey) => passkey.id === id)) return true;
  return false;
}
