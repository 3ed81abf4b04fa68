import { randomBytes } from 'node:crypto';
import type { RemoteInfo, Socket } from 'node:dgram';
import { familyOf } from '@meshwork/addresses';
import { bindingRequest } from '../../stun/binding.ts';
import { isGenuine, type StunMessage, TRANSACTION_BYTES } from '../../stun/message.ts';
import type { Place } from '../../stun/xor-address.ts';
import type { CarrierEvent } from '../control/messages.ts';
import { placeText } from '../links/link.ts';
import { TokenBucket } from '../token-bucket.ts';
import { openUdpSocket } from '../udp-socket.ts';
import { answerTo, claimedSender, mappedIn, peerRequest, placeOf, readBinding } from './binding-peers.ts';

interface SharedPortOptions {
  readonly node: string;
  /** Undefined: no such peer, or none that may ask. */
  readonly keyOf: (peer: string) => Buffer | undefined;
  readonly answered: (facts: CarrierEvent<'answered'>) => void;
  readonly asked: (facts: CarrierEvent<'asked'>) => void;
}

interface Pending {
  readonly at_ms: number;
  readonly key: Buffer | undefined;
}

/** Ours: guessing the port of a hard NAT takes some hundred requests at once; no search takes more than this. */
const ASKS = { per_s: 200, at_once: 400 } as const;
/** Ours: what proves itself costs a hash. */
const ANSWERS = { per_s: 200, at_once: 400 } as const;
/** Ours: an answer that comes later than this is of no use. */
const PENDING_MS = 10_000;
const MAX_PENDING = 4096;
const MAX_SEEN = 2048;
const MISSING_FAMILY = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL']);

/**
 * Sockets whose packets leave from WireGuard's own port, and that hear the STUN messages which arrive there: see
 * `../tables/shared-port-table.ts`. To all but known peers, and what was asked, it is silent.
 */
export class SharedPort {
  readonly #options: SharedPortOptions;
  readonly #asks = new TokenBucket(ASKS.per_s, ASKS.at_once);
  readonly #answers = new TokenBucket(ANSWERS.per_s, ANSWERS.at_once);
  readonly #pending = new Map<string, Pending>();
  /** Requests that were answered, and where to. One that is sent again from elsewhere is a replay. */
  readonly #seen = new Map<string, string>();
  #four: Socket | undefined;
  #six: Socket | undefined;

  private constructor(options: SharedPortOptions) {
    this.#options = options;
  }

  static async open(options: SharedPortOptions): Promise<SharedPort> {
    const shared = new SharedPort(options);
    const received = (data: Buffer, from: RemoteInfo) => shared.#receive(data, from);
    shared.#four = await openUdpSocket({ family: 4, address: '0.0.0.0', port: 0, received });
    shared.#six = await openUdpSocket({ family: 6, address: '::', port: 0, received }).catch(unlessMissing);
    return shared;
  }

  get ports(): { readonly four?: number; readonly six?: number } {
    const four = this.#four === undefined ? {} : { four: this.#four.address().port };
    return this.#six === undefined ? four : { ...four, six: this.#six.address().port };
  }

  /** What WireGuard encrypted, straight to a peer. */
  send({ address, port }: Place, data: Buffer): void {
    this.#socketTo(address)?.send(data, port, address);
  }

  /** Answers with the transaction. Throws when there are too many at once. */
  ask(to: Place, peer: string | undefined): string {
    const now_ms = performance.now();
    const key = peer === undefined ? undefined : this.#options.keyOf(peer);
    if (peer !== undefined && key === undefined) throw new Error(`there is no key of ${peer}`);
    if (!this.#asks.take(now_ms)) throw new Error('too many requests at once');
    const id = randomBytes(TRANSACTION_BYTES);
    const transaction = id.toString('hex');
    this.#forgetOld(now_ms);
    this.#pending.set(transaction, { at_ms: now_ms, key });
    const names = { to: peer ?? '', from: this.#options.node };
    this.send(to, key === undefined ? bindingRequest(id) : peerRequest(id, key, names));
    return transaction;
  }

  close(): void {
    this.#four?.close();
    this.#six?.close();
  }

  #socketTo(address: string): Socket | undefined {
    return familyOf(address) === 6 ? this.#six : this.#four;
  }

  #receive(data: Buffer, info: RemoteInfo): void {
    const message = readBinding(data);
    const from = message === null ? null : placeOf(info);
    if (message === null || from === null) return;
    if (message.isRequest) this.#answer(message, from);
    else this.#learn(message, from);
  }

  #answer(request: StunMessage, from: Place): void {
    const peer = claimedSender(request, this.#options.node);
    const key = peer === undefined ? undefined : this.#options.keyOf(peer);
    if (peer === undefined || key === undefined || !this.#answers.take() || !isGenuine(request, key)) return;
    const place = placeText(from);
    const seen = this.#seen.get(request.transaction);
    if (seen !== undefined && seen !== place) return;
    this.#seen.set(request.transaction, place);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    this.send(from, answerTo(request, from, key));
    this.#options.asked({ peer, from });
  }

  #learn(answer: StunMessage, from: Place): void {
    const { transaction } = answer;
    const pending = this.#pending.get(transaction);
    const mapped = pending === undefined ? null : mappedIn(answer, pending.key);
    if (pending === undefined || mapped === null) return;
    this.#pending.delete(transaction);
    this.#options.answered({ transaction, from, mapped, rtt_ms: performance.now() - pending.at_ms });
  }

  /** They stand in the order in which they were asked. */
  #forgetOld(now_ms: number): void {
    for (const [transaction, { at_ms }] of this.#pending) {
      if (now_ms - at_ms < PENDING_MS && this.#pending.size < MAX_PENDING) return;
      this.#pending.delete(transaction);
    }
  }
}

/** A host without IPv6. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined || !MISSING_FAMILY.has(error.code)) throw error;
}
