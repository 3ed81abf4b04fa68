import { randomUUID } from 'node:crypto';
import type { Journal } from '@meshwork/store';
import { Nonces } from './nonces.ts';

/** Ours: the other coordinator has answered by then, or is gone, and its nonces with it. */
const ANSWERED_WITHIN_MS = 2000;

interface Message {
  readonly about: 'nonce';
  /** The coordinator that has to read it. */
  readonly to: string;
  /** What the question and its answer have in common. */
  readonly question: string;
  /** Absent: it is an answer. */
  readonly asked?: { readonly nonce: string; readonly by: string };
  readonly good?: boolean;
}

/** Nonces of several coordinators: each is redeemed by the one that made it, wherever the request arrives. */
export class SharedNonces {
  readonly #own = new Nonces();
  readonly #journal: Pick<Journal, 'shared' | 'send' | 'receive'>;
  readonly #failed: (error: unknown) => void;
  readonly #open = new Map<string, (good: boolean) => void>();
  readonly #stop: (() => Promise<void>) | undefined;

  constructor(journal: Pick<Journal, 'shared' | 'send' | 'receive'>, failed: (error: unknown) => void) {
    this.#journal = journal;
    this.#failed = failed;
    this.#stop = journal.shared ? journal.receive((text) => this.#receive(text)) : undefined;
  }

  make(): string {
    return this.#own.make();
  }

  async redeem(nonce: string): Promise<boolean> {
    const maker = Nonces.makerOf(nonce);
    if (maker === undefined) return false;
    if (maker === this.#id) return this.#own.redeem(nonce);
    return this.#journal.shared && (await this.#ask(maker, nonce));
  }

  async close(): Promise<void> {
    for (const answer of this.#open.values()) answer(false);
    await this.#stop?.();
  }

  get #id(): string {
    return this.#own.id.toString('hex');
  }

  async #ask(to: string, nonce: string): Promise<boolean> {
    const question = randomUUID();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => resolve(false), ANSWERED_WITHIN_MS);
    this.#open.set(question, resolve);
    this.#send({ about: 'nonce', to, question, asked: { nonce, by: this.#id } });
    return await promise.finally(() => {
      clearTimeout(late);
      this.#open.delete(question);
    });
  }

  #receive(text: string): void {
    const { about, to, question, asked, good } = JSON.parse(text) as Message;
    if (about !== 'nonce' || to !== this.#id) return;
    if (asked === undefined) this.#open.get(question)?.(good === true);
    else this.#send({ about: 'nonce', to: asked.by, question, good: this.#own.redeem(asked.nonce) });
  }

  #send(message: Message): void {
    this.#journal.send(JSON.stringify(message)).catch(this.#failed);
  }
}
