/**
 * The protocol as it arrives: which path is which resource, who may ask, and how answers and errors look on the wire. A request
 * comes in at `handle`, is opened by `signed-request.ts`, and goes to the function of its resource.
 */
import { addressPrefixOf } from '@meshwork/service';
import { Refused } from '../../access/authenticate.ts';
import type { Protocol, ProtocolAnswer, ProtocolRequest } from '../protocol.ts';
import { changeKey, newAccount, ordersOfAccount, updateAccount } from './accounts.ts';
import { type AcmeAnswer, AcmeCall } from './acme-call.ts';
import { AcmeError, asAcmeError, notFound, problemText } from './acme-error.ts';
import { answerChallenge, useAuthorization } from './authorizations.ts';
import { downloadCertificate, revokeOwn } from './certificates.ts';
import type { Desk } from './desk.ts';
import { READS } from './limits.ts';
import { finalizeOrder, newOrder, showOrder } from './orders.ts';
import { ACME_PATH, type Urls, urlOf } from './paths.ts';
import { renewalInfo } from './renewal-info.ts';
import { openRequest, type SignedBy } from './signed-request.ts';

/** A resource that is read without a signature. */
interface Open {
  readonly pattern: RegExp;
  readonly get: (desk: Desk, params: readonly string[], urls: Urls) => AcmeAnswer;
}

/** A resource that takes signed requests. */
interface Signed {
  readonly pattern: RegExp;
  /** As the audit trail names it. */
  readonly action: string;
  /** Absent: the key of an account. */
  readonly by?: SignedBy;
  readonly post: (call: AcmeCall, params: readonly string[]) => AcmeAnswer | Promise<AcmeAnswer>;
}

const OPEN: readonly Open[] = [
  { pattern: /^\/directory$/, get: (_desk, _params, urls) => directory(urls) },
  { pattern: /^\/new-nonce$/, get: () => ({ status: 204 }) },
  { pattern: /^\/renewal-info\/([^/]+)$/, get: renewalInfo },
];

const SIGNED: readonly Signed[] = [
  { pattern: /^\/new-account$/, action: 'acme.new_account', by: 'key', post: newAccount },
  { pattern: /^\/account\/([^/]+)$/, action: 'acme.update_account', post: updateAccount },
  { pattern: /^\/account\/([^/]+)\/orders$/, action: 'acme.orders', post: ordersOfAccount },
  { pattern: /^\/key-change$/, action: 'acme.change_key', post: changeKey },
  { pattern: /^\/new-order$/, action: 'acme.new_order', post: newOrder },
  { pattern: /^\/order\/([^/]+)$/, action: 'acme.order', post: showOrder },
  { pattern: /^\/order\/([^/]+)\/finalize$/, action: 'acme.finalize', post: finalizeOrder },
  { pattern: /^\/authorization\/([^/]+)$/, action: 'acme.authorization', post: useAuthorization },
  { pattern: /^\/challenge\/([^/]+)\/([^/]+)$/, action: 'acme.answer_challenge', post: answerChallenge },
  { pattern: /^\/certificate\/([^/]+)$/, action: 'acme.certificate', post: downloadCertificate },
  { pattern: /^\/revoke-cert$/, action: 'acme.revoke', by: 'either', post: revokeOwn },
];

/** Requests are small: one with a certificate request for 100 names and an RSA key of 4096 bits fits. */
const BODY_LIMIT = 64 * 1024;

function directory(urls: Urls): AcmeAnswer {
  return {
    body: {
      newNonce: urlOf(urls, 'new-nonce'),
      newAccount: urlOf(urls, 'new-account'),
      newOrder: urlOf(urls, 'new-order'),
      revokeCert: urlOf(urls, 'revoke-cert'),
      keyChange: urlOf(urls, 'key-change'),
      renewalInfo: urlOf(urls, 'renewal-info'),
      meta: { externalAccountRequired: true },
    },
  };
}

export class AcmeProtocol implements Protocol {
  readonly name = 'acme';
  readonly path = ACME_PATH;
  readonly type = 'application/jose+json';
  readonly body_limit = BODY_LIMIT;
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  async handle(request: ProtocolRequest): Promise<ProtocolAnswer> {
    const signed = match(SIGNED, request.path);
    try {
      if (request.method === 'POST') {
        if (signed === undefined) throw this.#misplaced(request);
        return await this.#post(request, signed);
      }
      const open = match(OPEN, request.path);
      if (open === undefined) throw this.#misplaced(request);
      this.#desk.limit.take(`acme reads ${addressPrefixOf(request.request.address)}`, READS);
      return this.#answer(request, readStatus(request, open.resource.get(this.#desk, open.params, request)));
    } catch (error) {
      return this.#refuse(error, request, signed?.resource.action ?? 'acme.request');
    }
  }

  unread(error: unknown, request: Omit<ProtocolRequest, 'body'>): ProtocolAnswer {
    return this.#refuse(error, request, 'acme.request');
  }

  async #post(request: ProtocolRequest, { resource, params }: Found<Signed>): Promise<ProtocolAnswer> {
    const desk = this.#desk;
    desk.mesh.ensureUpToDate();
    const { action, by = 'account' } = resource;
    const signed = await openRequest(desk, request, by);
    const call = new AcmeCall(desk, request, { signed, action });
    return this.#answer(request, await resource.post(call, params));
  }

  /** Another method than the path has, or a path that there is not. */
  #misplaced({ path }: ProtocolRequest): AcmeError {
    const allowed = [...(match(OPEN, path) ? ['GET', 'HEAD'] : []), ...(match(SIGNED, path) ? ['POST'] : [])].join(
      ', ',
    );
    if (allowed === '') return notFound('resource');
    return new AcmeError('malformed', `This takes ${allowed}.`, { status: 405, headers: ['allow', allowed] });
  }

  #answer(request: ProtocolRequest, answer: AcmeAnswer): ProtocolAnswer {
    const { status = 200, body, type = 'application/json', location, up, retry_after_s } = answer;
    const headers = this.#headers(request);
    if (location !== undefined) headers.push('location', location);
    if (up !== undefined) headers.push('link', `<${up}>;rel="up"`);
    if (retry_after_s !== undefined) headers.push('retry-after', String(retry_after_s));
    if (body === undefined) return { status, headers };
    headers.push('content-type', type);
    return { status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) };
  }

  #refuse(error: unknown, request: Omit<ProtocolRequest, 'body'>, action: string): ProtocolAnswer {
    const { known, bug } = asAcmeError(error);
    const { retry_after_s, headers: own = [] } = known.options;
    const headers = [...this.#headers(request), ...own, 'content-type', 'application/problem+json'];
    if (retry_after_s !== undefined) headers.push('retry-after', String(retry_after_s));
    const answer = { status: known.status, headers, text: problemText(known) };
    if (bug) return { ...answer, bug: error };
    if (!(error instanceof Refused)) return answer;
    const { actor, code, message } = error;
    const refusal = { cause: { actor, action, request: request.request }, code, target: null, detail: message };
    return { ...answer, refusal, ...(actor.kind === 'token' ? { actor } : {}) };
  }

  /** Every answer brings a nonce: a client then needs no other request for one. */
  #headers(request: Urls): string[] {
    const index = `<${urlOf(request, 'directory')}>;rel="index"`;
    return ['replay-nonce', this.#desk.nonces.make(), 'link', index];
  }
}

/** A nonce that was asked for by HEAD comes with 200 (RFC 8555, 7.2). */
function readStatus({ method }: ProtocolRequest, answer: AcmeAnswer): AcmeAnswer {
  return method === 'HEAD' && answer.status === 204 ? { ...answer, status: 200 } : answer;
}

interface Found<R> {
  readonly resource: R;
  readonly params: readonly string[];
}

function match<R extends { readonly pattern: RegExp }>(resources: readonly R[], path: string): Found<R> | undefined {
  for (const resource of resources) {
    const found = resource.pattern.exec(path);
    if (found !== null) return { resource, params: found.slice(1) };
  }
  return undefined;
}
