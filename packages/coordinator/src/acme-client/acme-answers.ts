/** What authorities answer, read strictly: it decides what is asked next. What is not as RFC 8555 has it is a failure of the authority. */
import { AcmeFailure, readProblem } from './acme-failure.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Directory {
  readonly new_nonce: string;
  readonly new_account: string;
  readonly new_order: string;
  /** Null: it does not say when to renew. */
  readonly renewal_info: string | null;
  readonly terms: string | null;
  readonly needs_binding: boolean;
}

export interface Order {
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate: string | null;
  /** In words. Null: nothing is wrong. */
  readonly problem: string | null;
}

export interface Authorization {
  readonly status: 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked';
  readonly hostname: string;
  readonly challenges: readonly Challenge[];
}

interface Challenge {
  readonly type: string;
  readonly url: string;
  readonly token: string;
  readonly status: string;
  readonly problem: string | null;
}

const ORDER_STATES = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const;
const AUTHORIZATION_STATES = ['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked'] as const;
const TOKEN = /^[\w-]{16,128}$/;
const MAX_LISTED = 10;

export function readDirectory(body: Buffer): Directory {
  const given = objectOf(body, 'directory');
  const meta = fieldsOf(given.meta ?? {}, 'directory');
  return {
    new_nonce: text(given.newNonce, 'newNonce'),
    new_account: text(given.newAccount, 'newAccount'),
    new_order: text(given.newOrder, 'newOrder'),
    renewal_info: typeof given.renewalInfo === 'string' ? given.renewalInfo : null,
    terms: typeof meta.termsOfService === 'string' ? meta.termsOfService.slice(0, 500) : null,
    needs_binding: meta.externalAccountRequired === true,
  };
}

export function readOrder(body: Buffer): Order {
  const given = objectOf(body, 'order');
  return {
    status: oneOf(ORDER_STATES, given.status, 'order'),
    authorizations: listOf(given.authorizations, 'authorizations').map((one) => text(one, 'authorization')),
    finalize: text(given.finalize, 'finalize'),
    certificate: typeof given.certificate === 'string' ? given.certificate : null,
    problem: given.error === undefined ? null : readProblem(given.error).text,
  };
}

export function readAuthorization(body: Buffer): Authorization {
  const given = objectOf(body, 'authorization');
  return {
    status: oneOf(AUTHORIZATION_STATES, given.status, 'authorization'),
    hostname: text(fieldsOf(given.identifier, 'authorization').value, 'identifier'),
    challenges: listOf(given.challenges, 'challenges').flatMap((one) => readChallenge(one) ?? []),
  };
}

/** Undefined: of a kind that has no token, which is not for us. */
function readChallenge(one: unknown): Challenge | undefined {
  const { type, url, token, status, error } = fieldsOf(one, 'challenge');
  if (typeof type !== 'string' || typeof url !== 'string' || typeof token !== 'string' || !TOKEN.test(token)) {
    return undefined;
  }
  const problem = error === undefined ? null : readProblem(error).text;
  return { type, url, token, status: typeof status === 'string' ? status : 'pending', problem };
}

export interface SuggestedWindow {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly explanation_url: string | null;
}

/** RFC 9773, section 4.2. */
export function readRenewalInfo(body: Buffer): SuggestedWindow {
  const given = objectOf(body, 'renewal info');
  const { start, end } = fieldsOf(given.suggestedWindow, 'renewal info');
  const [start_ms, end_ms] = [start, end].map((one) => Date.parse(text(one, 'suggestedWindow')));
  if (start_ms === undefined || end_ms === undefined || !(start_ms < end_ms)) throw wrong('renewal info');
  const { explanationURL: why } = given;
  return {
    start_ms,
    end_ms,
    explanation_url: typeof why === 'string' && /^https?:/.test(why) ? why.slice(0, 500) : null,
  };
}

export function objectOf(body: Buffer, what: string): Fields {
  try {
    return fieldsOf(JSON.parse(body.toString('utf8')), what);
  } catch {
    throw wrong(what);
  }
}

function fieldsOf(given: unknown, what: string): Fields {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong(what);
  return given as Fields;
}

function text(given: unknown, what: string): string {
  if (typeof given !== 'string') throw wrong(what);
  return given;
}

function listOf(given: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_LISTED) throw wrong(what);
  return given;
}

function oneOf<const T extends string>(states: readonly T[], given: unknown, what: string): T {
  const found = states.find((state) => state === given);
  if (found === undefined) throw wrong(what);
  return found;
}

function wrong(what: string): AcmeFailure {
  return new AcmeFailure(`what it answers is not as ACME has it: ${what}`);
}
