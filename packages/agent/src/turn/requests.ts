import { randomBytes } from 'node:crypto';
import {
  ATTRIBUTES,
  type Attribute,
  errorCodeIn,
  isGenuine,
  longTermKey,
  readMessage,
  type StunMessage,
  TRANSACTION_BYTES,
  valueIn,
  writeMessage,
} from '../stun/message.ts';
import type { TurnTransport } from './transport.ts';
import { TurnError } from './turn-error.ts';

export interface TurnCredentials {
  readonly username: string;
  readonly password: string;
}

/** What a request is made of that depends on its own header, such as addresses. */
type AttributesFor = (header: Buffer) => readonly Attribute[];

/** As RFC 8489 has it: half a second, then twice as long, and so on. Over a stream it is sent once. */
const FIRST_WAIT_MS = 500;
const GIVE_UP_MS = 7500;
const [UNAUTHORIZED, STALE_NONCE] = [401, 438];
const SUCCESS = 0x0100;
const ERROR = 0x0110;
const CLASS = 0x0110;

interface Pending {
  readonly type: number;
  readonly key: Buffer | undefined;
  readonly resolve: (answer: StunMessage) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests of one client to its relay: who it is, which answers belong to which, and what is sent again. */
export class TurnRequests {
  readonly #transport: TurnTransport;
  readonly #pending = new Map<string, Pending>();
  readonly #credentials: TurnCredentials;
  #realm: Buffer | undefined;
  #nonce: Buffer | undefined;

  constructor(transport: TurnTransport, credentials: TurnCredentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  /** False: it answers no request of ours, whatever it is. */
  receive(bytes: Buffer): boolean {
    const message = readMessage(bytes);
    const pending = message === null ? undefined : this.#pending.get(message.transaction);
    if (message === null || pending === undefined) return false;
    const kind = message.type & CLASS;
    if ((message.type & ~CLASS) !== pending.type || (kind !== SUCCESS && kind !== ERROR)) return false;
    // An error need not prove itself: the server may not know the user. Believing a false one costs a request.
    if (kind === SUCCESS && pending.key !== undefined && !isGenuine(message, pending.key)) return false;
    this.#pending.delete(message.transaction);
    pending.resolve(message);
    return true;
  }

  /** The transport has ended. */
  fail(reason: unknown): void {
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  /** Answers with what the relay says. Rejects with `TurnError` when it refuses, and when it does not answer. */
  async ask(type: number, attributes: AttributesFor = () => [], give_up_ms: number = GIVE_UP_MS): Promise<StunMessage> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#askOnce(type, attributes, give_up_ms);
      const code = (answer.type & CLASS) === ERROR ? (errorCodeIn(answer) ?? 0) : undefined;
      if (code === undefined) return answer;
      const isNew = this.#learn(answer);
      const isFirst = tries === 0 && code === UNAUTHORIZED;
      if (!isNew || tries > 1 || !(isFirst || code === STALE_NONCE)) throw new TurnError(code);
    }
  }

  /** Nothing comes back. */
  indicate(type: number, attributes: AttributesFor): void {
    this.#transport.send(this.#written(type, attributes, undefined).bytes);
  }

  /** Takes over what it is to prove itself with. False: it is as before, or nothing was said. */
  #learn(answer: StunMessage): boolean {
    const [realm, nonce] = [valueIn(answer, ATTRIBUTES.REALM), valueIn(answer, ATTRIBUTES.NONCE)];
    if (nonce === undefined || (realm ?? this.#realm) === undefined) return false;
    const isNew = this.#nonce === undefined || !this.#nonce.equals(nonce);
    this.#realm = realm === undefined ? this.#realm : Buffer.from(realm);
    this.#nonce = Buffer.from(nonce);
    return isNew;
  }

  async #askOnce(type: number, attributes: AttributesFor, give_up_ms: number): Promise<StunMessage> {
    const key = this.#key();
    const { bytes, transaction } = this.#written(type, attributes, key);
    const { promise, resolve, reject } = Promise.withResolvers<StunMessage>();
    this.#pending.set(transaction, { type, key, resolve, reject });
    const giveUp = setTimeout(() => reject(new Error('the relay does not answer')), give_up_ms);
    let again: NodeJS.Timeout | undefined;
    const send = (wait_ms: number) => {
      this.#transport.send(bytes);
      if (!this.#transport.reliable) again = setTimeout(() => send(2 * wait_ms), wait_ms);
    };
    try {
      send(Math.min(FIRST_WAIT_MS, give_up_ms / 4)); // throws where the host has no way there
      return await promise;
    } finally {
      clearTimeout(giveUp);
      clearTimeout(again);
      this.#pending.delete(transaction);
    }
  }

  #written(type: number, attributes: AttributesFor, key: Buffer | undefined) {
    const transaction = randomBytes(TRANSACTION_BYTES);
    const header = writeMessage({ type, transaction });
    const proof = key === undefined ? [] : this.#identity();
    const bytes = writeMessage({ type, transaction, attributes: [...attributes(header), ...proof], key });
    return { bytes, transaction: transaction.toString('hex') };
  }

  #identity(): readonly Attribute[] {
    return [
      { type: ATTRIBUTES.USERNAME, value: Buffer.from(this.#credentials.username) },
      { type: ATTRIBUTES.REALM, value: this.#realm ?? Buffer.alloc(0) },
      { type: ATTRIBUTES.NONCE, value: this.#nonce ?? Buffer.alloc(0) },
    ];
  }

  /** Undefined: the relay has not said yet for which realm. */
  #key(): Buffer | undefined {
    if (this.#realm === undefined || this.#nonce === undefined) return undefined;
    const { username, password } = this.#credentials;
    return longTermKey(username, this.#realm.toString('utf8'), password);
  }
}
