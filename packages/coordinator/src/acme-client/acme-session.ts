/** Speaks with one directory of an outside authority, as one account: nonces, signatures, and what is wrong (RFC 8555, section 6). */
import type { Outbound, OutboundAnswer } from '@meshwork/service';
import type { AccountKey } from './account-key.ts';
import { type Directory, objectOf, readDirectory } from './acme-answers.ts';
import { AcmeFailure, readProblem } from './acme-failure.ts';

/** Ours. Nonces may be refused by chance; some authorities do it on purpose. */
const NONCE_TRIES = 10;
const MAX_NONCES = 8;
const AGENT = 'meshwork';
const JOSE = 'application/jose+json';
const MAX_RETRY_AFTER_S = 7 * 86_400;

interface SessionParts {
  readonly outbound: Outbound;
  readonly directory: string;
  readonly roots: string | null;
  readonly key: AccountKey;
  /** The address of the account. Undefined: it is not made yet. */
  readonly kid: string | undefined;
  readonly signal: AbortSignal;
}

export class AcmeSession {
  readonly #parts: SessionParts;
  readonly #nonces: string[] = [];
  #directory: Promise<Directory> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get key(): AccountKey {
    return this.#parts.key;
  }

  /** Read once: a session lives no longer than one attempt. */
  directory(): Promise<Directory> {
    this.#directory ??= this.get(this.#parts.directory).then(({ body }) => readDirectory(body));
    return this.#directory;
  }

  async get(url: string): Promise<OutboundAnswer> {
    return ensureGood(await this.#ask('GET', url));
  }

  /** `payload` undefined: reads, which is signed too (RFC 8555, section 6.3). */
  async post(url: string, payload?: object, accept?: string): Promise<OutboundAnswer> {
    for (let tries = 1; ; tries++) {
      const body = this.#parts.key.signed({ url, nonce: await this.#nonce(), kid: this.#parts.kid, payload });
      const answer = await this.#ask('POST', url, { body, accept });
      if (tries < NONCE_TRIES && isBadNonce(answer)) continue; // the refusal has brought a new one
      return ensureGood(answer);
    }
  }

  async #nonce(): Promise<string> {
    const kept = this.#nonces.pop();
    if (kept !== undefined) return kept;
    const { new_nonce } = await this.directory();
    ensureGood(await this.#ask('HEAD', new_nonce));
    const fresh = this.#nonces.pop();
    if (fresh === undefined) throw new AcmeFailure('it gives no nonce');
    return fresh;
  }

  async #ask(
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    more: { readonly body?: string; readonly accept?: string | undefined } = {},
  ): Promise<OutboundAnswer> {
    const { outbound, roots, signal } = this.#parts;
    const { body, accept } = more;
    const headers = {
      'user-agent': AGENT,
      ...(body === undefined ? {} : { 'content-type': JOSE }),
      ...(accept === undefined ? {} : { accept }),
    };
    const answer = await outbound.request({
      method,
      url,
      headers,
      roots,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const nonce = answer.header('replay-nonce');
    if (nonce !== undefined && /^[\w-]{1,512}$/.test(nonce) && this.#nonces.length < MAX_NONCES)
      this.#nonces.push(nonce);
    return answer;
  }
}

function isBadNonce({ status, body }: OutboundAnswer): boolean {
  return status === 400 && problemOf(body).type === 'badNonce';
}

function ensureGood(answer: OutboundAnswer): OutboundAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const { type, text } = problemOf(answer.body);
  throw new AcmeFailure(type === null ? `it answers with status ${answer.status}: ${text}` : text, {
    type,
    retry_after_s: retryAfterOf(answer),
  });
}

function problemOf(body: Buffer): ReturnType<typeof readProblem> {
  try {
    return readProblem(objectOf(body, 'problem'));
  } catch {
    return readProblem(undefined);
  }
}

/** Seconds, also where a date was given. Null: nothing was said. */
export function retryAfterOf(answer: OutboundAnswer): number | null {
  const said = answer.header('retry-after');
  if (said === undefined) return null;
  const seconds = /^\d{1,9}$/.test(said) ? Number(said) : Math.ceil((Date.parse(said) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S);
}
