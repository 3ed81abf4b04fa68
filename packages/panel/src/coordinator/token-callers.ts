import { hash } from 'node:crypto';
import { ApiError, type Client } from '@meshwork/client';
import { type ErrorCode, isId, isPermission, MeshError, type Whoami } from '@meshwork/contract';
import { addressPrefixOf, type Rate, type RateLimit } from '@meshwork/service';
import type { TokenCaller } from '../callers/caller.ts';
import { troubleOf, unavailable } from './unavailable.ts';

/** Requests of one address with a token, good or not (docs/decisions/0036). */
const ADDRESS: Rate = { rate_per_s: 20, burst: 100 };
/** Requests with one token, from wherever. */
const TOKEN: Rate = { rate_per_s: 20, burst: 100 };

/** What every token of a coordinator looks like. Anything else is not worth a question. */
const FORM = /^mesh_[0-9a-z]{26}_[A-Za-z0-9_-]{43}_[0-9a-f]{8}$/;

const REFUSED: ReadonlySet<string> = new Set([
  'credentials_invalid',
  'token_expired',
  'token_retired',
  'token_revoked',
] satisfies ErrorCode[]);

interface TokenCallersParts {
  readonly client: Client;
  readonly limit: RateLimit;
}

interface Bearing {
  readonly headers: { readonly authorization?: string | undefined };
  readonly ip: string;
}

/**
 * Authenticates a request by its token. The coordinator is asked every time and nothing is cached, so a revoked token is refused at
 * once. Rate limits come first: the panel must not help to guess tokens, nor to overload the coordinator.
 */
export class TokenCallers {
  readonly #parts: TokenCallersParts;

  constructor(parts: TokenCallersParts) {
    this.#parts = parts;
  }

  /** Undefined: the request brings no token. */
  async recognise({ headers, ip }: Bearing): Promise<TokenCaller | undefined> {
    const [, secret] = /^Bearer +(\S.*)$/i.exec(headers.authorization ?? '') ?? [];
    if (secret === undefined) return undefined;
    const { limit } = this.#parts;
    limit.take(`bearer address ${addressPrefixOf(ip)}`, ADDRESS);
    if (!FORM.test(secret)) throw unknown();
    limit.take(`bearer ${hash('sha256', secret, 'base64url')}`, TOKEN);
    return callerOf(await this.#ask(secret));
  }

  async #ask(secret: string): Promise<Whoami> {
    try {
      return (await this.#parts.client.call('self.whoami', { token: secret, retry: false })).body;
    } catch (error) {
      if (error instanceof ApiError && REFUSED.has(error.code)) {
        throw new MeshError(error.code as ErrorCode, error.detail, { cause: error });
      }
      throw unavailable(troubleOf(error) ?? 'it does not answer', { cause: error });
    }
  }
}

function callerOf({ actor, role, permissions, scope }: Whoami): TokenCaller {
  const { kind, id, name } = actor;
  if (kind !== 'token' || id === null || !isId('token', id)) {
    // One that acts for a person would be a way around their session, and around the fresh proof it owes.
    throw new MeshError(
      'credentials_invalid',
      'This token is a delegation for a person. Sign in, or use a scoped token.',
    );
  }
  return { id, name, role, permissions: new Set(permissions.filter(isPermission)), scope };
}

function unknown(): MeshError {
  return new MeshError('credentials_invalid', 'The Authorization header has no valid token.');
}
