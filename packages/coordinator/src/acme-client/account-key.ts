/** Requests to an authority are signed with the key of the account (RFC 8555, section 6.2): ES256, JSON in flattened form. */
import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

interface Jws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

export class AccountKey {
  readonly #key: KeyObject;
  readonly #jwk: Readonly<Record<'crv' | 'kty' | 'x' | 'y', string>>;
  /** RFC 7638. */
  readonly thumbprint: string;

  /** `private_key`: of P-256, in PEM. */
  constructor(private_key: string) {
    this.#key = createPrivateKey(private_key);
    const { crv = '', kty = '', x = '', y = '' } = createPublicKey(this.#key).export({ format: 'jwk' });
    this.#jwk = { crv, kty, x, y }; // in this order, which the thumbprint needs
    this.thumbprint = createHash('sha256').update(JSON.stringify(this.#jwk)).digest('base64url');
  }

  /** What gateways show for a challenge. */
  keyAuthorization(token: string): string {
    return `${token}.${this.thumbprint}`;
  }

  /** `payload` undefined: the request only reads. `kid`: the address of the account; undefined where there is none yet. */
  signed(request: {
    readonly url: string;
    readonly nonce: string;
    readonly kid: string | undefined;
    readonly payload: object | undefined;
  }): string {
    const { url, nonce, kid, payload } = request;
    const who = kid === undefined ? { jwk: this.#jwk } : { kid };
    const head = encoded({ alg: 'ES256', ...who, nonce, url });
    const body = payload === undefined ? '' : encoded(payload);
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return JSON.stringify(jws(head, body, signature));
  }

  /** Binds the account to a key that the authority gave to its customer (RFC 8555, section 7.3.4). */
  bound(to: { readonly url: string; readonly key_id: string; readonly key: Buffer }): Jws {
    const head = encoded({ alg: 'HS256', kid: to.key_id, url: to.url });
    const body = encoded(this.#jwk);
    return jws(head, body, createHmac('sha256', to.key).update(`${head}.${body}`).digest());
  }
}

function jws(head: string, payload: string, signature: Buffer): Jws {
  return { protected: head, payload, signature: signature.toString('base64url') };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
