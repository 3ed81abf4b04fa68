import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type CBORType = Parameters<typeof isoCBOR.encode>[0];

const FLAG = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

/** What a test may have the authenticator, or the browser before it, do otherwise than it should. */
export interface Odd {
  /** The page the browser says it is on. */
  readonly origin?: string;
  readonly rp_id?: string;
  /** The person only touched it: no PIN, no finger. */
  readonly unverified?: boolean;
  /** The person did nothing at all. */
  readonly absent?: boolean;
  /** `0` is what most passkeys of today count. */
  readonly counter?: number;
  readonly user_handle?: string | null;
  readonly type?: string;
}

interface Credential {
  readonly id: Buffer;
  readonly key: KeyObject;
  readonly user_handle: string;
  counter: number;
}

type Answer = Record<string, unknown> & { readonly id: string };

/**
 * An authenticator in software, with the browser in front of it: takes the options that the panel gives and answers in the JSON form
 * that browsers send. Real keys (ES256) and real signatures; only the person and the hardware are missing.
 */
export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #credentials: Credential[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** `navigator.credentials.create`. */
  create(given: Readonly<Record<string, unknown>>, odd: Odd = {}): Answer {
    const options = given as { challenge: string; rp: { id: string }; user: { id: string } };
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made: Credential = {
      id: randomBytes(16),
      key: privateKey,
      user_handle: options.user.id,
      counter: odd.counter ?? 0,
    };
    this.#credentials.push(made);
    const attested = Buffer.concat([
      Buffer.alloc(16), // no model: attestation is "none"
      Buffer.from([made.id.length >> 8, made.id.length & 0xff]),
      made.id,
      isoCBOR.encode(coseOf(publicKey)),
    ]);
    const authData = Buffer.concat([headOf(options.rp.id, made.counter, { ...odd, attested: true }), attested]);
    const attestation = new Map<string, CBORType>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, CBORType>()],
      ['authData', Uint8Array.from(authData)],
    ]);
    const attestationObject = isoCBOR.encode(attestation);
    return answer(made.id, {
      clientDataJSON: this.#clientData(odd.type ?? 'webauthn.create', options.challenge, odd),
      attestationObject: Buffer.from(attestationObject).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** `navigator.credentials.get`, with the newest passkey. */
  get(given: Readonly<Record<string, unknown>>, odd: Odd = {}): Answer {
    const options = given as { challenge: string; rpId: string };
    const used = this.#credentials.at(-1);
    if (used === undefined) throw new Error('the authenticator has no passkey');
    used.counter = odd.counter ?? (used.counter === 0 ? 0 : used.counter + 1);
    const authenticatorData = headOf(options.rpId, used.counter, odd);
    const clientDataJSON = this.#clientData(odd.type ?? 'webauthn.get', options.challenge, odd);
    const clientDataHash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([authenticatorData, clientDataHash]), used.key);
    const handle = odd.user_handle === undefined ? used.user_handle : odd.user_handle;
    return answer(used.id, {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(handle === null ? {} : { userHandle: handle }),
    });
  }

  #clientData(type: string, challenge: string, odd: Odd): string {
    const data = { type, challenge, origin: odd.origin ?? this.#origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }
}

function answer(id: Buffer, response: Readonly<Record<string, unknown>>): Answer {
  const text = id.toString('base64url');
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response };
}

/** Authenticator data up to the counter (WebAuthn, section 6.1). */
function headOf(rp_id: string, counter: number, odd: Odd & { readonly attested?: true }): Buffer {
  const head = Buffer.alloc(37);
  createHash('sha256')
    .update(odd.rp_id ?? rp_id)
    .digest()
    .copy(head);
  const flags = [
    odd.absent === true ? 0 : FLAG.present,
    odd.unverified === true ? 0 : FLAG.verified,
    odd.attested === true ? FLAG.attested : 0,
  ];
  head[32] = flags.reduce((all, flag) => all | flag, 0);
  head.writeUInt32BE(counter, 33);
  return head;
}

/** A P-256 key as COSE has it (RFC 9053): EC2, ES256, the curve, and the point. */
function coseOf(key: KeyObject): Map<number, number | Uint8Array<ArrayBuffer>> {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'));
  return new Map<number, number | Uint8Array<ArrayBuffer>>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point(x)],
    [-3, point(y)],
  ]);
}
