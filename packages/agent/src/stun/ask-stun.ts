import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { addAbortListener } from 'node:events';
import { familyOf } from '@meshwork/addresses';

import { bindingRequest, readBindingAnswer } from './binding.ts';
import { TRANSACTION_BYTES } from './message.ts';
import type { Place } from './xor-address.ts';

export interface StunQuestion {
  /** The server's, and never a name. */
  readonly address: string;
  readonly port: number;
  /** To ask from. Zero: any. */
  readonly from_port: number;
  readonly pace: StunPace;
  readonly signal: AbortSignal;
}

export interface StunPace {
  /** Until it asks again; then twice as long, and so on. */
  readonly first_wait_ms: number;
  readonly give_up_ms: number;
}

/** RFC 8489 starts with half a second, too. It goes on for ten times as long; we look again soon anyway. */
export const STUN_PACE: StunPace = { first_wait_ms: 500, give_up_ms: 4000 };

export interface StunFinding {
  readonly mapping: Place;
  readonly rtt_ms: number;
}

/**
 * Asks a STUN server how it sees one of our ports. Rejects when no answer comes in time, when no server listens, and when
 * the port is taken. The port is free again once this has settled.
 */
export async function askStun({ address, port, from_port, pace, signal }: StunQuestion): Promise<StunFinding> {
  const finding = Promise.withResolvers<StunFinding>();
  const socket = createSocket(familyOf(address) === 6 ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
  using _abort = addAbortListener(signal, () => finding.reject(signal.reason));
  const giveUp = setTimeout(() => finding.reject(new Error('no answer')), pace.give_up_ms);
  const asking = new Asking(socket, pace.first_wait_ms);
  socket.on('error', finding.reject);
  socket.on('listening', () => {
    try {
      socket.connect(port, address); // the kernel then drops what comes from anywhere else
    } catch (error) {
      finding.reject(error); // the port is out of range
    }
  });
  socket.on('connect', () => asking.ask(finding.reject));
  socket.on('message', (message) => {
    try {
      const found = asking.receive(message);
      if (found !== null) finding.resolve(found);
    } catch (error) {
      finding.reject(error);
    }
  });
  socket.bind(from_port);
  try {
    return await finding.promise;
  } finally {
    clearTimeout(giveUp);
    asking.stop();
    await new Promise<void>((resolve) => socket.close(resolve));
  }
}

/** Each try has a transaction of its own: so an answer says which try it answers, and the round trip is not a guess. */
class Asking {
  readonly #socket: Socket;
  readonly #sentAt = new Map<string, number>();
  #wait_ms: number;
  #again: NodeJS.Timeout | undefined;

  constructor(socket: Socket, firstWaitMs: number) {
    this.#socket = socket;
    this.#wait_ms = firstWaitMs;
  }

  ask(failed: (error: Error) => void): void {
    const transaction = randomBytes(TRANSACTION_BYTES);
    this.#sentAt.set(transaction.toString('hex'), performance.now());
    this.#socket.send(bindingRequest(transaction), (error) => {
      if (error !== null) failed(error);
    });
    this.#again = setTimeout(() => this.ask(failed), this.#wait_ms);
    this.#wait_ms *= 2;
  }

  /** Null: that was no answer to us. Throws when it says that there will be none. */
  receive(message: Buffer): StunFinding | null {
    const answer = readBindingAnswer(message);
    const sentAt = this.#sentAt.get(answer?.transaction ?? '');
    if (answer === null || sentAt === undefined) return null;
    if ('error_code' in answer) throw new Error(`it answered with error ${answer.error_code}`);
    return { mapping: answer.mapping, rtt_ms: performance.now() - sentAt };
  }

  stop(): void {
    clearTimeout(this.#again);
  }
}
