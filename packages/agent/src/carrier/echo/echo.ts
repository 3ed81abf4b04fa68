import { randomBytes } from 'node:crypto';
import type { RemoteInfo, Socket } from 'node:dgram';
import { anyContains, familyOf, type Network, plainAddress, readNetwork } from '@meshwork/addresses';
import type { CarrierEvent, Command } from '../control/messages.ts';
import { TokenBucket } from '../token-bucket.ts';
import { openUdpSocket } from '../udp-socket.ts';
import { ECHO_BYTES, readEcho, writeEcho } from './echo-packet.ts';

type EchoPlaces = NonNullable<Command<'listen_for_echoes'>['echo']>;

/** Ours: a question for each link in use, two or three times a second. */
const QUESTIONS = { per_s: 2000, at_once: 1000 } as const;
const ANSWERS = { per_s: 2000, at_once: 1000 } as const;
/** Ours: an answer that comes later than this is of no use. */
const PENDING_MS = 10_000;
const MAX_PENDING = 4096;

/**
 * Questions inside the tunnel, and answers to them: what proves that a path carries packets and not only probes. It hears
 * only addresses of the mesh, on addresses of the mesh.
 */
export class Echo {
  readonly places: EchoPlaces;
  readonly #networks: readonly Network[];
  readonly #echoed: (facts: CarrierEvent<'echoed'>) => void;
  readonly #questions = new TokenBucket(QUESTIONS.per_s, QUESTIONS.at_once);
  readonly #answers = new TokenBucket(ANSWERS.per_s, ANSWERS.at_once);
  readonly #pending = new Map<string, { readonly to: string; readonly at_ms: number }>();
  readonly #sockets: { readonly family: 4 | 6; readonly socket: Socket }[] = [];

  private constructor(places: EchoPlaces, echoed: (facts: CarrierEvent<'echoed'>) => void) {
    this.places = places;
    this.#networks = places.networks.map((text) => readNetwork(text));
    this.#echoed = echoed;
  }

  static async open(places: EchoPlaces, echoed: (facts: CarrierEvent<'echoed'>) => void): Promise<Echo> {
    const echo = new Echo(places, echoed);
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
    const socket = this.#sockets.find(({ family }) => family === familyOf(to))?.socket;
    if (socket === undefined || !this.#isMesh(to)) throw new Error(`${to} is not in the mesh`);
    if (!this.#questions.take(now_ms)) throw new Error('too many echoes at once');
    const transaction = randomBytes(12).toString('hex');
    for (const [old, { at_ms }] of this.#pending) {
      if (now_ms - at_ms < PENDING_MS && this.#pending.size < MAX_PENDING) break;
      this.#pending.delete(old);
    }
    this.#pending.set(transaction, { to, at_ms: now_ms });
    socket.send(writeEcho('question', transaction, bytes), this.places.port, to);
    return transaction;
  }

  close(): void {
    for (const { socket } of this.#sockets) socket.close();
  }

  async #listen(address: string): Promise<void> {
    const family = familyOf(address) === 6 ? 6 : 4;
    const received = (data: Buffer, from: RemoteInfo) => this.#receive(socket, data, from);
    const socket = await openUdpSocket({ family, address, port: this.places.port, received });
    this.#sockets.push({ family, socket });
  }

  #receive(socket: Socket, data: Buffer, info: RemoteInfo): void {
    const packet = readEcho(data);
    const from = packet === null ? null : plainAddress(info.address);
    if (packet === null || from === null || !this.#isMesh(from)) return;
    const { kind, transaction } = packet;
    if (kind === 'answer') this.#learn(transaction, from);
    else if (this.#answers.take()) socket.send(writeEcho('answer', transaction, ECHO_BYTES), info.port, info.address);
  }

  #learn(transaction: string, from: string): void {
    const pending = this.#pending.get(transaction);
    if (pending?.to !== from) return;
    this.#pending.delete(transaction);
    this.#echoed({ transaction, from, rtt_ms: performance.now() - pending.at_ms });
  }

  #isMesh(address: string): boolean {
    return anyContains(this.#networks, address);
  }
}
