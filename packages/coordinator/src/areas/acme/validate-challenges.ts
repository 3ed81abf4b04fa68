import { hash } from 'node:crypto';
import { type ProbeResult, utc } from '@meshwork/contract';
import type { Duty, Notes } from '../../duties/duty.ts';
import { earliest } from '../../duties/earliest.ts';
import type { AuthorizationDocument } from '../../kinds/acme.ts';
import { answersProbes } from '../../mesh/abilities.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Runtime } from '../runtime.ts';
import { type AcmeErrorType, typeOf } from './acme-error.ts';
import { ORDER_LIFE_MS } from './limits.ts';

/** Ours: how long the node waits for its program, and the coordinator for the node. */
const SHOWN_WITHIN_MS = 3000;
const ANSWERED_WITHIN_MS = 6000;
/** A program that is just starting, or a node between two heartbeats, gets another chance. */
const TRIES = 3;
const APART_MS = 2000;
/** Nodes that are asked at the same time. */
const AT_ONCE = 100;

interface Fault {
  readonly type: AcmeErrorType;
  readonly detail: string;
  /** Whether it may be different in a moment. */
  readonly passes: boolean;
}

type Parts = Pick<Runtime, 'mesh' | 'probes' | 'signing'>;

/**
 * Has nodes fetch what clients show on them, and writes down what came of it. What is under way is in the journal: a client that was
 * asked to wait gets its answer though the coordinator was killed.
 */
export class ValidateChallenges implements Duty {
  readonly name = 'acme.validate';
  readonly on: Notes = { acme_authorization: ({ id }) => this.#note(id) };
  readonly #parts: Parts;
  readonly #dismissed = Promise.withResolvers<'dismissed'>();
  readonly #due = new Set<string>();
  /** Those that are tried again: when, and how often they were. */
  readonly #later = new Map<string, { readonly at: number; readonly tries: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get pending(): boolean {
    return this.#due.size > 0;
  }

  get next_at(): number | undefined {
    return earliest(this.#later.values().map(({ at }) => at));
  }

  begin(): void {
    for (const { id } of this.#parts.mesh.model.all('acme_authorization')) this.#note(id);
  }

  end(): void {
    this.#due.clear();
    this.#later.clear();
  }

  /** Waits for no node any more, because the coordinator closes. */
  dismiss(): void {
    this.#dismissed.resolve('dismissed');
  }

  async run(): Promise<void> {
    const now_ms = this.#parts.mesh.clock.now();
    for (const [id, { at }] of this.#later) if (at <= now_ms) this.#due.add(id);
    const some = this.#due.values().take(AT_ONCE).toArray();
    for (const id of some) this.#due.delete(id);
    const failed = (await Promise.allSettled(some.map((id) => this.#validate(id)))).flatMap((one, index) => {
      if (one.status === 'fulfilled') return [];
      const id = some[index];
      if (id !== undefined) this.#due.add(id); // it could not be written down
      return [one.reason];
    });
    if (failed.length > 0) throw failed[0];
  }

  #note(id: string): void {
    if (this.#waiting(id) === undefined) {
      this.#due.delete(id);
      this.#later.delete(id);
    } else if (!this.#later.has(id)) this.#due.add(id);
  }

  #waiting(id: string): Stored<'acme_authorization'> | undefined {
    const one = this.#parts.mesh.model.get('acme_authorization', id);
    return one?.body.state === 'processing' ? one : undefined;
  }

  async #validate(id: string): Promise<void> {
    const one = this.#waiting(id);
    if (one === undefined) return;
    const tries = (this.#later.get(id)?.tries ?? 0) + 1;
    const fault = await Promise.race([this.#look(one.body), this.#dismissed.promise]);
    if (fault === 'dismissed') return; // the next coordinator begins with it
    if (fault?.passes === true && tries < TRIES) {
      this.#later.set(id, { at: this.#parts.mesh.clock.now() + APART_MS, tries });
      return;
    }
    await this.#parts.mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      const now = tx.get('acme_authorization', id)?.body;
      if (now?.state !== 'processing' || now.tried === null) return; // given up meanwhile
      const at = utc(tx.now_ms);
      if (fault === undefined) {
        const expires = utc(tx.now_ms + ORDER_LIFE_MS);
        tx.put('acme_authorization', id, { ...now, state: 'valid', expires, tried: { ...now.tried, proven_at: at } });
      } else {
        const error = { type: typeOf(fault.type), detail: fault.detail };
        tx.put('acme_authorization', id, { ...now, state: 'invalid', tried: { ...now.tried, error } });
      }
    });
    this.#later.delete(id);
  }

  /** Undefined: it is proven. */
  async #look(authorization: AuthorizationDocument): Promise<Fault | undefined> {
    const { mesh, probes } = this.#parts;
    const { node, name, token, tried } = authorization;
    if (tried === null) throw new Error('Nothing was tried.');
    const where = mesh.model.get('node', node)?.body.name ?? node;
    if (!answersProbes(mesh.model, node, 'challenge')) {
      const detail = `The agent of ${where} has not said that it can fetch what is shown for ${name}; it may be too old.`;
      return { type: 'connection', detail, passes: false };
    }
    const probe = { challenge: { type: tried.type, name, token, within_ms: SHOWN_WITHIN_MS } };
    const result = await probes.ask(node, probe, ANSWERED_WITHIN_MS);
    if (result === undefined) {
      return { type: 'connection', detail: `${where} did not answer in time that it was asked.`, passes: true };
    }
    return await this.#judge(authorization, result, where);
  }

  async #judge(
    authorization: AuthorizationDocument,
    { challenge, error }: ProbeResult,
    where: string,
  ): Promise<Fault | undefined> {
    if (challenge?.shown === undefined) {
      const { fault = 'connection', detail = error ?? 'nothing was shown' } = challenge ?? {};
      return { type: fault, detail: `${where}: ${detail}`, passes: fault === 'connection' };
    }
    const right = this.#keyAuthorization(authorization);
    const { shown } = challenge;
    if (authorization.tried?.type === 'tls-alpn-01') return await this.#judgeCertificate(authorization, shown, right);
    if (shown === right) return undefined;
    const detail = `The file on ${where} has ${JSON.stringify(shown.slice(0, 100))}, and should have ${JSON.stringify(right)}.`;
    return { type: 'incorrectResponse', detail, passes: false };
  }

  async #judgeCertificate({ name }: AuthorizationDocument, shown: string, right: string): Promise<Fault | undefined> {
    const der = new Uint8Array(Buffer.from(shown, 'base64'));
    const certificate = await this.#parts.signing.run('challenge', der);
    const wrong = (detail: string): Fault => ({ type: 'incorrectResponse', detail, passes: false });
    if (certificate === undefined) return wrong('What was shown is not a certificate.');
    if (certificate.names.length !== 1 || certificate.names[0]?.toLowerCase() !== name) {
      return wrong(`The certificate that was shown has to have ${name} as its only name.`);
    }
    if (certificate.shown_sha256 === hash('sha256', right)) return undefined;
    return wrong('The certificate that was shown has not the digest of the key authorization.');
  }

  /** What has to be shown: that the holder of the account's key has put it there. */
  #keyAuthorization({ token, account }: AuthorizationDocument): string {
    return `${token}.${this.#parts.mesh.model.get('acme_account', account)?.body.thumbprint ?? ''}`;
  }
}
