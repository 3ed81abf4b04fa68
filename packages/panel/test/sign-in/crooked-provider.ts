import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CLIENT_ID } from './test-provider.ts';

/** A provider that says in its tokens, and of itself, what a test wants it to: what no sound provider can be made to do. */
export class CrookedProvider {
  readonly issuer: string;
  /** Over the claims of a sound token. */
  claims: Readonly<Record<string, unknown>> = {};
  /** Over what it says of itself. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Signs with a key that it does not publish. */
  forged = false;
  /** What the token endpoint answers instead of a token. */
  token_status = 200;
  nonce = '';
  readonly #server: Server;
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<CrookedProvider> {
    const server = createServer((request, response) => provider.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new CrookedProvider(server);
    return provider;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer({ url }: IncomingMessage, response: ServerResponse): void {
    const key = { ...this.#key.publicKey.export({ format: 'jwk' }), kid: 'k' };
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => this.#metadata(),
      '/jwks': () => ({ keys: [key] }),
      '/token': () => this.#tokens(),
    };
    const status = url === '/token' ? this.token_status : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[url ?? '']?.() ?? {}));
  }

  #tokens(): object {
    if (this.token_status !== 200) return { error: 'server_error' };
    const key = this.forged ? this.#otherKey.privateKey : this.#key.privateKey;
    return { access_token: 'unused', token_type: 'bearer', expires_in: 60, id_token: tokenOf(key, this.#claims()) };
  }

  #metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  #claims(): object {
    const now_s = Math.floor(Date.now() / 1000);
    return {
      iss: this.issuer,
      aud: CLIENT_ID,
      sub: 'crooked-person',
      iat: now_s,
      exp: now_s + 60,
      nonce: this.nonce,
      preferred_username: 'mallory',
      groups: ['admins'],
      ...this.claims,
    };
  }
}

function tokenOf(key: KeyObject, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'ES256', kid: 'k', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
