/** An ACME client by hand: every request is signed as a test wants it to be. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, FlattenedSign, type JWK } from 'jose';
import type { Asked } from './harness.ts';

export interface AcmeGot<T = AcmeBody> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

/** Everything that some answer has. */
export interface AcmeBody {
  readonly type: string;
  readonly detail: string;
  readonly status: string;
  readonly expires: string;
  readonly contact: readonly string[];
  readonly orders: string & readonly string[];
  readonly authorizations: readonly string[];
  readonly identifiers: readonly { readonly type: string; readonly value: string }[];
  readonly identifier: { readonly value: string };
  readonly finalize: string;
  readonly certificate: string;
  readonly error: { readonly type: string; readonly detail: string };
  readonly challenges: readonly AcmeChallenge[];
  readonly subproblems: readonly { readonly type: string; readonly identifier: { readonly value: string } }[];
  readonly suggestedWindow: { readonly start: string; readonly end: string };
  readonly algorithms: readonly string[];
}

interface AcmeChallenge {
  readonly type: string;
  readonly url: string;
  readonly status: string;
  readonly token: string;
  readonly error?: { readonly type: string; readonly detail: string };
}

export interface Binding {
  readonly key_id: string;
  readonly key: string;
}

/** How a request differs from a right one. */
interface Odd {
  readonly url?: string;
  readonly nonce?: string | null;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: KeyObject;
  readonly alg?: string;
  /** Signed with the key itself rather than as the account. */
  readonly bare?: boolean;
  readonly type?: string;
}

const ALGORITHM = 'ES256';

export class AcmeClient {
  readonly #mesh: Pick<Asked, 'url'>;
  key: KeyObject;
  kid: string | undefined;
  nonce = '';
  /** How often a good nonce was refused. */
  refused = 0;

  constructor(mesh: Pick<Asked, 'url'>, key = newKey()) {
    this.#mesh = mesh;
    this.key = key;
  }

  /** With an account that acts as a token. */
  static async register(mesh: Asked, token = mesh.owner): Promise<AcmeClient> {
    const client = new AcmeClient(mesh);
    const got = await client.newAccount(await bindingOf(mesh, token));
    if (got.status !== 201) throw new Error(`The account could not be made: ${got.text}`);
    return client;
  }

  url(path: string): string {
    return `${this.#mesh.url}/v1/acme/${path}`;
  }

  async freshNonce(): Promise<string> {
    const got = await fetch(this.url('new-nonce'), { method: 'HEAD' });
    return got.headers.get('replay-nonce') ?? '';
  }

  async newAccount(binding: Binding | undefined, more: object = {}, odd: Odd = {}): Promise<AcmeGot> {
    const url = this.url('new-account');
    const bound = binding === undefined ? {} : { externalAccountBinding: await this.bind(binding, url) };
    const got = await this.post(url, { ...bound, ...more }, { bare: true, ...odd });
    if (got.status < 300) this.kid = got.headers.get('location') ?? undefined;
    return got;
  }

  async bind({ key_id, key }: Binding, url: string, header: object = {}): Promise<object> {
    const jwk = JSON.stringify(jwkOf(this.key));
    const secret = Buffer.from(key, 'base64url');
    return await new FlattenedSign(Buffer.from(jwk))
      .setProtectedHeader({ alg: 'HS256', kid: key_id, url, ...header })
      .sign(secret);
  }

  /** A nonce that is refused is tried again, as every client does. */
  async post(url: string, payload: object | '', odd: Odd = {}): Promise<AcmeGot> {
    for (;;) {
      const got = await this.once(url, payload, odd);
      const isRefused = got.status === 400 && got.body?.type?.endsWith(':badNonce') && odd.nonce === undefined;
      if (!isRefused) return got;
      this.refused++;
    }
  }

  async once(url: string, payload: object | '', odd: Odd = {}): Promise<AcmeGot> {
    const nonce = odd.nonce === undefined ? this.nonce || (await this.freshNonce()) : odd.nonce;
    const key = odd.key ?? this.key;
    const who = odd.bare === true || this.kid === undefined ? { jwk: jwkOf(key) } : { kid: this.kid };
    const header = { alg: odd.alg ?? ALGORITHM, url: odd.url ?? url, ...(nonce === null ? {} : { nonce }), ...who };
    const text = payload === '' ? '' : JSON.stringify(payload);
    const signed = await new FlattenedSign(Buffer.from(text))
      .setProtectedHeader({ ...header, ...odd.header })
      .sign(key);
    return await this.send(url, JSON.stringify(signed), odd.type);
  }

  async send(url: string, body: string, type = 'application/jose+json'): Promise<AcmeGot> {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
    const read = await response.text();
    this.nonce = response.headers.get('replay-nonce') ?? '';
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const { status, headers } = response;
    return { status, headers, text: read, body: (isJson ? JSON.parse(read) : undefined) as AcmeBody };
  }

  async order(...names: readonly string[]): Promise<AcmeGot> {
    return await this.post(this.url('new-order'), { identifiers: names.map((value) => ({ type: 'dns', value })) });
  }

  read(url: string): Promise<AcmeGot> {
    return this.post(url, '');
  }

  /** Posts what the next key has signed too (RFC 8555, 7.3.5). The client goes on with the key it has. */
  async changeKey(next: KeyObject, more: object = {}): Promise<AcmeGot> {
    const url = this.url('key-change');
    const payload = { account: this.kid, oldKey: jwkOf(this.key), ...more };
    const inner = await new FlattenedSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: ALGORITHM, jwk: jwkOf(next), url })
      .sign(next);
    return await this.post(url, inner);
  }

  /** What has to be shown for a challenge. */
  async keyAuthorization(token: string): Promise<string> {
    return `${token}.${await calculateJwkThumbprint(jwkOf(this.key))}`;
  }

  /** Says of every name of an order that its answer is in place, and waits until all are decided. */
  async prove(order: AcmeBody, type = 'http-01'): Promise<readonly AcmeBody[]> {
    const decided: AcmeBody[] = [];
    for (const url of order.authorizations) {
      const { body } = await this.read(url);
      const challenge = body.challenges.find((one) => one.type === type);
      if (body.status === 'pending' && challenge !== undefined) await this.post(challenge.url, {});
      for (let now = body; ; now = (await this.read(url)).body) {
        if (now.status !== 'pending') {
          decided.push(now);
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    return decided;
  }

  finalize(order: AcmeBody, request: string): Promise<AcmeGot> {
    return this.post(order.finalize, { csr: derText(request) });
  }
}

/** DER in base64url, of PEM. */
export function derText(pem: string): string {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64').toString('base64url');
}

export async function bindingOf(mesh: Asked, token = mesh.owner): Promise<Binding> {
  const got = await mesh.ask<Binding & { detail: string }>('POST', '/v1/ca/acme/bindings', { token });
  if (got.status !== 200) throw new Error(`There is no key: ${got.text}`);
  return got.body;
}

export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function jwkOf(key: KeyObject): JWK {
  const { d: _, ...jwk } = createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' })).export({ format: 'jwk' });
  return jwk as JWK;
}
