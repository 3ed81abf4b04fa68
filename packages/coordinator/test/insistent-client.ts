/**
 * An ACME client whose coordinator is killed now and then. It goes on as the protocol says: it asks again with another nonce, and looks at
 * what it asked for, which may have been done though the answer got lost.
 */
import assert from 'node:assert/strict';
import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AcmeBody, AcmeClient, type AcmeGot, type Binding, derText, newKey } from './acme-client.ts';
import { errorOf, requestFor } from './acme-scene.ts';

interface Around {
  readonly url: string;
  /** Puts the answer to a challenge in place. */
  show(token: string, text: string): void;
  /** Called with each answer, and with the first that did not come. */
  answered(isHere: boolean): void;
  /** From then on it gives up. */
  readonly signal: AbortSignal;
}

interface Certified {
  /** Where it is downloaded. */
  readonly url: string;
  readonly chain: string;
}

/** Signed requests of one account are limited. */
const BETWEEN_LOOKS_MS = 100;

/** Whether a request failed because its connection did. */
export function isLost(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error;
}

export class InsistentClient {
  readonly #around: Around;
  readonly client: AcmeClient;
  #isCutOff = false;

  constructor(around: Around) {
    this.#around = around;
    this.client = new AcmeClient(around);
  }

  get account(): string {
    return this.client.kid?.split('/').at(-1) ?? '';
  }

  async register(binding: Binding): Promise<void> {
    const { got, again } = await this.#ask(() => this.client.newAccount(binding));
    assert.ok(got.status === 201 || (again && got.status === 200), got.text);
  }

  async certify(name: string): Promise<Certified> {
    const request = await requestFor(name);
    const { got: made } = await this.#ask(() => this.client.order(name)); // at worst there are two orders
    assert.equal(made.status, 201, made.text);
    await this.#prove(made.body);
    const url = made.headers.get('location') ?? '';
    for (let order = await this.#read(url); ; order = await this.#read(url)) {
      if (order.status === 'valid') return await this.#download(order.certificate);
      assert.equal(order.status, 'ready');
      await this.#once(() => this.client.finalize(order, request));
    }
  }

  async revoke({ chain }: Certified): Promise<void> {
    const [first = ''] = chain.split(/(?<=END CERTIFICATE-----\n)/);
    const ask = () => this.client.post(this.client.url('revoke-cert'), { certificate: derText(first), reason: 4 });
    const { got, again } = await this.#ask(ask);
    if (got.status !== 200) assert.deepEqual([again, ...errorOf(got)], [true, 400, 'alreadyRevoked']);
  }

  /** Answers with the key that is good no more. */
  async changeKey(): Promise<KeyObject> {
    const { key } = this.client;
    const next = newKey();
    const { got, again } = await this.#ask(() => this.client.changeKey(next));
    assert.ok(got.status === 200 || again, got.text);
    this.client.key = next; // if the first answer got lost, the old key is refused, and this one is not
    assert.equal((await this.#read(this.client.kid ?? '')).status, 'valid');
    return key;
  }

  async deactivate(): Promise<void> {
    const { got, again } = await this.#ask(() => this.client.post(this.client.kid ?? '', { status: 'deactivated' }));
    if (got.status !== 200) assert.deepEqual([again, ...errorOf(got)], [true, 403, 'unauthorized']);
  }

  async download(url: string): Promise<AcmeGot> {
    return (await this.#ask(() => this.client.read(url))).got;
  }

  async #download(url: string): Promise<Certified> {
    const got = await this.download(url);
    assert.equal(got.status, 200, got.text);
    return { url, chain: got.text };
  }

  async #prove({ authorizations }: AcmeBody): Promise<void> {
    for (const url of authorizations) {
      for (let now = await this.#read(url); now.status !== 'valid'; now = await this.#read(url)) {
        assert.equal(now.status, 'pending', JSON.stringify(now));
        const challenge = now.challenges.find(({ type }) => type === 'http-01');
        if (challenge?.status === 'pending') {
          this.#around.show(challenge.token, await this.client.keyAuthorization(challenge.token));
          await this.#once(() => this.client.post(challenge.url, {}));
        } else await pause(BETWEEN_LOOKS_MS);
      }
    }
  }

  async #read(url: string): Promise<AcmeBody> {
    const { got } = await this.#ask(() => this.client.read(url));
    assert.equal(got.status, 200, got.text);
    return got.body;
  }

  /** `again`: an answer got lost, so it may have been done before. */
  async #ask(send: () => Promise<AcmeGot>): Promise<{ readonly got: AcmeGot; readonly again: boolean }> {
    for (let again = false; ; again = true) {
      const got = await this.#once(send);
      if (got !== undefined) return { got, again };
    }
  }

  /** Undefined: no answer came. */
  async #once(send: () => Promise<AcmeGot>): Promise<AcmeGot | undefined> {
    try {
      const got = await send();
      this.#isCutOff = false;
      this.#around.answered(true);
      return got;
    } catch (error) {
      if (this.#around.signal.aborted || !isLost(error)) throw error;
      if (!this.#isCutOff) this.#around.answered(false);
      this.#isCutOff = true;
      this.client.nonce = '';
      await pause(BETWEEN_LOOKS_MS);
      return undefined;
    }
  }
}
