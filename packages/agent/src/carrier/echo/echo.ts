import { randomBytes } from 'node:crypto';
import type { RemoteInfo, Socket } from 'node:dgram';
import { anyContains, familyOf, type Network, plainAddress, readNetwork } from '@meshwork/addresses';
import { type CarrierEvent, type Command, EVENTS } from '../control/messages.ts';
import { TokenBucket } from '../token-bucket.ts';
import { openUdpSocket } from '../udp-socket.ts';
import { ECHO_BYTES, readPacket, writeEcho, writeMessage } from './echo-packet.ts';
import { PeerBudget } from './peer-budget.ts';

type EchoPlaces = NonNullable<Command<'listen_for_echoes'>['echo']>;

interface EchoListener {
  readonly echoed: (facts: CarrierEvent<'echoed'>) => void;
  readonly messaged: (facts: CarrierEvent<'messaged'>) => void;
}

interface Pending {
  readonly to: string;
  readonly bytes: number;
  readonly at_ms: number;
}

/** Ours: a question for each link in use, two or three times a second. */
const QUESTIONS = { per_s: 2000, at_once: 1000 } as const;
const ANSWERS = { all: { per_s: 2000, at_once: 1000 }, one: { per_s: 50, at_once: 100 } } as const;
/** Ours: two ends that agree about a path say a handful of things, and all peers may do so at once after a change. */
const MESSAGES = { all: { per_s: 500, at_once: 1000 }, one: { per_s: 10, at_once: 30 } } as const;
/** Ours: an answer that comes later than this is of no use. */
const PENDING_MS = 10_000;
const MAX_PENDING = 4096;

/**
 * Questions inside the tunnel, and answers to them: what proves that a path carries packets and not only probes. And what
 * the agents say to each other there. It hears only addresses of the mesh, on addresses of the mesh.
 */
export class Echo {
  readonly places: EchoPlaces;
  readonly #networks: readonly Network[];
  readonly #listener: EchoListener;
  readonly #questions = new TokenBucket(QUESTIONS.per_s, QUESTIONS.at_once);
  readonly #answers = new PeerBudget(ANSWERS);
  readonly #said = new PeerBudget(MESSAGES);
  readonly #heard = new PeerBudget(MESSAGES);
  readonly #pending = new Map<string, Pending>();
  readonly #sockets: { readonly family: 4 | 6; readonly socket: Socket }[] = [];

  private constructor(places: EchoPlaces, listener: EchoListener) {
    this.places = places;
    this.#networks = places.networks.map((text) => readNetwork(text));
    this.#listener = listener;
  }

  static async open(places: EchoPlaces, listener: EchoListener): Promise<Echo> {
    const echo = new Echo(places, listener);
    try {
      for (const address of places.addresses) await echo.#listen(address);
      return echo;
    } catch (error) {
      echo.close();
      throw error;
    }
  }

  /** Answers with the transaction. Throws when it cannot be sent there. */
  ask(to: string, bytes: number = ECHO_BYTES): string {
    const now_ms = performance.now();
    const socket = this.#socketTo(to);
    if (!this.#questions.take(now_ms)) throw new Error('too many echoes at once');
    const transaction = randomBytes(12).toString('hex');
    for (const [old, { at_ms }] of this.#pending) {
      if (now_ms - at_ms < PENDING_MS && this.#pending.size < MAX_PENDING) break;
      this.#pending.delete(old);
    }
    this.#pending.set(transaction, { to, bytes, at_ms: now_ms });
    socket.send(writeEcho('question', transaction, bytes), this.places.port, to);
    return transaction;
  }

  /** Throws when it cannot be sent there, or there are too many at once. */
  send(to: string, text: string): void {
    const socket = this.#socketTo(to);
    if (!this.#said.take(to)) throw new Error(`too many messages to ${to} at once`);
    socket.send(writeMessage(text), this.places.port, to);
  }

  close(): void {
    for (const { socket } of this.#sockets) socket.close();
  }

  #socketTo(address: string): Socket {
    const socket = this.#sockets.find(({ family }) => family === familyOf(address))?.socket;
    if (socket === undefined || !this.#isMesh(address)) throw new Error(`${address} is not in the mesh`);
    return socket;
  }

  async #listen(address: string): Promise<void> {
    const family = familyOf(address) === 6 ? 6 : 4;
    const received = (data: Buffer, from: RemoteInfo) => this.#receive(socket, data, from);
    const socket = await openUdpSocket({ family, address, port: this.places.port, received });
    this.#sockets.push({ family, socket });
  }

  #receive(socket: Socket, data: Buffer, info: RemoteInfo): void {
    const packet = readPacket(data);
    const from = packet === null ? null : plainAddress(info.address);
    if (packet === null || from === null || !this.#isMesh(from)) return;
    if (packet.kind === 'message') this.#hear(packet.text, from, info.port);
    else if (packet.kind === 'answer') this.#learn(packet.transaction, from);
    else if (this.#answers.take(from)) {
      socket.send(writeEcho('answer', packet.transaction, ECHO_BYTES), info.port, info.address);
    }
  }

  /** Only from a carrier's own port: other programs of that host cannot have it. */
  #hear(text: string, from: string, port: number): void {
    const facts = { from, text };
    if (port !== this.places.port || EVENTS.messaged.problem(facts, 'message') !== undefined) return;
    if (this.#heard.take(from)) this.#listener.messaged(facts);
  }

  #learn(transaction: string, from: string): void {
    const pending = this.#pending.get(transaction);
    if (pending?.to !== from) return;
    this.#pending.delete(transaction);
    const { bytes, at_ms } = pending;
    this.#listener.echoed({ transaction, from, bytes, rtt_ms: performance.now() - at_ms });
  }

  #isMesh(address: string): boolean {
    return anyContains(this.#networks, address);
  }
}
