/**
 * One attempt to get a certificate, from the account to the chain, in the order in which it happens. Each step is in the document of the
 * order before the next begins, so a coordinator that is killed goes on with the same order and the same key.
 */
import { generateKeyPair } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { GivenRead } from '@meshwork/pki';
import type { OutboundAnswer } from '@meshwork/service';
import { type Authorization, type Order, readAuthorization, readOrder } from '../../acme-client/acme-answers.ts';
import { AcmeFailure } from '../../acme-client/acme-failure.ts';
import { type AcmeSession, retryAfterOf } from '../../acme-client/acme-session.ts';
import type { OutsideAccounts, Where } from '../../acme-client/outside-accounts.ts';
import type { CertificateOrderDocument, OutsideAuthorityDocument } from '../../kinds/outside-authorities.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import { orderSealedFor } from '../../mesh/envelopes.ts';
import { isFor } from '../../mesh/given-certificates.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Runtime } from '../runtime.ts';
import { type ShowParts, showOnGateways } from './show-challenge.ts';

/** Ours: how often and for how long it is looked whether the authority has done its part. */
const LOOKS_MS = { first: 300, most: 15_000 };
const VALIDATED_WITHIN_MS = 180_000;
const ISSUED_WITHIN_MS = 300_000;
const CHAIN = 'application/pem-certificate-chain';
const makePair = promisify(generateKeyPair);

export interface WalkParts extends ShowParts, Pick<Runtime, 'signing'> {
  readonly accounts: OutsideAccounts;
}

/** What came of it. The key is in `read`: a secret. */
export interface Issued {
  readonly read: GivenRead;
  readonly session: AcmeSession;
}

export class OrderWalk {
  readonly #parts: WalkParts;
  readonly #id: string;
  readonly #signal: AbortSignal;

  constructor(parts: WalkParts, id: string, signal: AbortSignal) {
    this.#parts = parts;
    this.#id = id;
    this.#signal = signal;
  }

  /** First at the staging directory, where there is one and the name was never proven there. Its certificate is worth nothing. */
  async run(): Promise<Issued> {
    if (!this.#order.staged && this.#authority.body.staging_directory !== null) {
      await this.#attempt('staging');
      await this.#write({ staged: true, url: null, key: null });
    }
    return await this.#attempt('live');
  }

  get #order(): CertificateOrderDocument {
    const order = this.#parts.mesh.model.get('certificate_order', this.#id)?.body;
    if (order === undefined) throw new AcmeFailure('no ingress needs it any more');
    return order;
  }

  get #authority(): Stored<'outside_authority'> {
    const authority = this.#parts.mesh.model.get('outside_authority', this.#order.authority);
    if (authority === undefined) throw new AcmeFailure('the authority was deleted');
    return authority;
  }

  async #attempt(where: Where): Promise<Issued> {
    const staging = where === 'staging';
    const isOther = this.#order.staging !== staging;
    await this.#write({ state: 'under_way', step: 'account', staging, ...(isOther ? { url: null, key: null } : {}) });
    const session = await this.#parts.accounts.session(this.#authority, where, this.#signal);
    await this.#write({ step: 'order' });
    let { url, order } = (await this.#kept(session)) ?? (await this.#ordered(session, where));
    if (order.status === 'pending') {
      await this.#write({ step: 'challenge' });
      for (const one of order.authorizations) await this.#prove(session, one, this.#authority.body);
      order = await this.#until(session, url, readOrder, ({ status }) => status !== 'pending', VALIDATED_WITHIN_MS);
    }
    if (order.status === 'ready') {
      await this.#write({ step: 'finalize' });
      await this.#finalize(session, order.finalize);
    }
    const isOver = ({ status }: Order) => status === 'valid' || status === 'invalid';
    if (!isOver(order)) order = await this.#until(session, url, readOrder, isOver, ISSUED_WITHIN_MS);
    await this.#ensureGood(order);
    await this.#write({ step: 'download' });
    return { read: await this.#download(session, order), session };
  }

  /** The order of before, if the authority still has it. */
  async #kept(session: AcmeSession): Promise<{ url: string; order: Order } | undefined> {
    const { url, key } = this.#order;
    if (url === null) return undefined;
    try {
      const order = readOrder((await session.post(url)).body);
      // Without its key, a certificate that was issued is worth nothing.
      if (order.status !== 'invalid' && (key !== null || order.status === 'pending' || order.status === 'ready')) {
        return { url, order };
      }
    } catch (error) {
      if (!(error instanceof AcmeFailure) || error.retry_after_s !== null) throw error;
    }
    await this.#write({ url: null, key: null });
    return undefined;
  }

  async #ordered(session: AcmeSession, where: Where): Promise<{ url: string; order: Order }> {
    const { new_order, renewal_info } = await session.directory();
    const { hostname, renewal_id } = this.#order;
    const wanted = { identifiers: [{ type: 'dns', value: hostname }] };
    const replaces = where === 'live' && renewal_info !== null ? renewal_id : null;
    const answer =
      replaces === null
        ? await session.post(new_order, wanted)
        : await replacing(session, new_order, { wanted, replaces });
    const url = answer.header('location');
    if (url === undefined) throw new AcmeFailure('it does not say where the order is');
    await this.#write({ url, key: null });
    return { url, order: readOrder(answer.body) };
  }

  async #prove(session: AcmeSession, url: string, { challenge: type }: OutsideAuthorityDocument): Promise<void> {
    const { hostname } = this.#order;
    const before = readAuthorization((await session.post(url)).body);
    if (before.status === 'valid') return;
    if (before.hostname !== hostname) throw new AcmeFailure(`it asks for a proof of ${before.hostname}`);
    const challenge = before.challenges.find((one) => one.type === type);
    if (challenge === undefined) throw new AcmeFailure(`it does not take ${type} as a proof of ${hostname}`);
    if (before.status === 'pending') {
      const { token } = challenge;
      const key_authorization = session.key.keyAuthorization(token);
      await showOnGateways(this.#parts, this.#id, { hostname, type, token, key_authorization }, this.#signal);
      if (challenge.status === 'pending') await session.post(challenge.url, {});
    }
    const isOver = ({ status }: Authorization) => status !== 'pending';
    const after = await this.#until(session, url, readAuthorization, isOver, VALIDATED_WITHIN_MS);
    if (after.status === 'valid') return;
    await this.#write({ url: null, key: null }); // the order is void with it
    const why = after.challenges.find((one) => one.type === type)?.problem ?? `the authorization is ${after.status}`;
    throw new AcmeFailure(why);
  }

  /** The key is in the store before the authority hears of it: a certificate that comes is never without one. */
  async #finalize(session: AcmeSession, url: string): Promise<void> {
    const { mesh, signing } = this.#parts;
    const { hostname, key } = this.#order;
    let private_key = key === null ? undefined : this.#opened(key);
    if (private_key === undefined) {
      const { privateKey } = await makePair('ec', { namedCurve: 'P-256' });
      private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      await this.#write({ key: mesh.seal(Buffer.from(private_key), orderSealedFor(this.#id)) });
    }
    const request = await signing.run('request_for', { hostname, private_key });
    await session.post(url, { csr: Buffer.from(request).toString('base64url') });
  }

  async #ensureGood({ status, problem }: Order): Promise<void> {
    if (status === 'valid') return;
    await this.#write({ url: null, key: null });
    throw new AcmeFailure(problem ?? `the order is ${status}`);
  }

  /** What comes is judged as one that an operator brings. */
  async #download(session: AcmeSession, { certificate }: Order): Promise<GivenRead> {
    const { mesh, signing } = this.#parts;
    const { key, hostname } = this.#order;
    if (certificate === null || key === null) throw new AcmeFailure('it does not say where the certificate is');
    const chain = (await session.post(certificate, undefined, CHAIN)).body.toString('utf8');
    const read = await signing.run('given', { chain, private_key: this.#opened(key), now_ms: mesh.clock.now() });
    const wrong =
      'faults' in read
        ? read.faults.map(({ part, detail }) => `${part === 'chain' ? 'the certificate' : 'the key'} ${detail}`)
        : isFor(read.names, hostname)
          ? []
          : [`the certificate is not for ${hostname}`];
    if ('faults' in read || wrong.length > 0) {
      await this.#write({ url: null, key: null });
      throw new AcmeFailure(`what it issued cannot be used: ${wrong.join('; ')}`);
    }
    return read;
  }

  #opened(key: string): string {
    return this.#parts.mesh.unseal(key, orderSealedFor(this.#id)).toString('utf8');
  }

  async #until<T>(
    session: AcmeSession,
    url: string,
    read: (body: OutboundAnswer['body']) => T,
    isSo: (value: T) => boolean,
    within_ms: number,
  ): Promise<T> {
    const ends = performance.now() + within_ms;
    for (let wait_ms = LOOKS_MS.first; ; wait_ms = Math.min(LOOKS_MS.most, wait_ms * 2)) {
      const answer = await session.post(url);
      const value = read(answer.body);
      if (isSo(value)) return value;
      if (performance.now() > ends) throw new AcmeFailure(`it has not decided within ${within_ms / 1000} seconds`);
      const asked_ms = (retryAfterOf(answer) ?? 0) * 1000;
      await pause(Math.min(LOOKS_MS.most, Math.max(asked_ms, wait_ms)), undefined, { signal: this.#signal });
    }
  }

  async #write(change: Partial<CertificateOrderDocument>): Promise<void> {
    this.#signal.throwIfAborted();
    await this.#parts.mesh.transact({ actor: COORDINATOR, action: 'certificate_orders.walk' }, (tx) => {
      const now = tx.get('certificate_order', this.#id)?.body;
      if (now === undefined) throw new AcmeFailure('no ingress needs it any more');
      if (!isDeepStrictEqual({ ...now, ...change }, now)) tx.put('certificate_order', this.#id, { ...now, ...change });
    });
  }
}

/** Says which certificate it takes the place of (RFC 9773, section 5). Without, where the authority does not want to hear it. */
async function replacing(
  session: AcmeSession,
  url: string,
  { wanted, replaces }: { readonly wanted: object; readonly replaces: string },
): Promise<OutboundAnswer> {
  try {
    return await session.post(url, { ...wanted, replaces });
  } catch (error) {
    const refused = error instanceof AcmeFailure && (error.type === 'alreadyReplaced' || error.type === 'malformed');
    if (!refused) throw error;
    return await session.post(url, wanted);
  }
}
