import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Account, Provider } from 'oidc-provider';

export const CLIENT_ID = 'meshwork';
export const CLIENT_SECRET = randomBytes(24).toString('base64url');

interface ProviderOptions {
  /** Claims go into the token itself, as some providers do; otherwise they have to be asked for. */
  readonly claims_in_token?: boolean;
}

/** A real provider (`oidc-provider`, certified) on loopback, with its store in memory. */
export class TestProvider {
  readonly issuer: string;
  /** Who there is, by what they sign in with. A test changes their claims at will. */
  readonly people = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #server: Server;
  #isAway = false;
  #answer: RequestListener = (_request, response) => void response.writeHead(503).end();

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.prependListener('connection', (socket: Socket) => {
      if (this.#isAway) socket.destroy();
    });
  }

  static async listen(): Promise<TestProvider> {
    const server = createServer((request, response) => provider.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new TestProvider(server);
    return provider;
  }

  /** Begins to serve, with the panel at this address as its client. Before, it is there and says nothing. */
  serve(panel_url: string, { claims_in_token = false }: ProviderOptions = {}): void {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${panel_url}/api/v1/auth/oidc/callback`],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'test' }] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email'], groups: ['groups'] },
      conformIdTokenClaims: !claims_in_token,
      findAccount: (_context: unknown, id: string) => this.#accountOf(id),
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    });
    this.#answer = provider.callback();
  }

  /** Refuses all connections until `back`. The port is kept: another process could take it meanwhile. */
  away(): void {
    this.#isAway = true;
    this.#server.closeAllConnections();
  }

  back(): void {
    this.#isAway = false;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accountOf(id: string): Account | undefined {
    const claims = this.people.get(id);
    return claims === undefined ? undefined : { accountId: id, claims: () => ({ sub: id, ...claims }) };
  }
}
