/**
 * Asks the resolvers of a routing domain. Each query has a socket of its own, so a port that cannot be guessed, and an id that
 * cannot; only the resolver itself can answer it, with the question that it was asked.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { Query } from './query.ts';

/** Ours: a program waits for the answer, and asks again after five seconds. */
const DATAGRAM_WAIT_MS = 1500;
const STREAM_WAIT_MS = 3000;
/** Ours: beyond it programs are answered at once that it does not work. */
const MAX_OUTSTANDING = 128;
const DNS_PORT = 53;
const RESPONSE_BIT = 0x80;
const LONGEST = 65_535;

export interface ForwarderOptions {
  /** Absent: 53. */
  readonly port?: number;
  /** Never asked: a query would come back. */
  readonly isOwn: (address: string) => boolean;
}

export class Forwarder {
  readonly #options: ForwarderOptions;
  #outstanding = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** The first answer of any of them. Undefined: none answered. */
  async ask(query: Query, resolvers: readonly string[], by: 'udp' | 'tcp'): Promise<Buffer | undefined> {
    if (this.#outstanding >= MAX_OUTSTANDING) return undefined;
    this.#outstanding++;
    try {
      for (const resolver of resolvers.filter((one) => !this.#options.isOwn(one))) {
        const answer = await this.#one(query, resolver, by);
        if (answer !== undefined) return answer;
      }
      return undefined;
    } finally {
      this.#outstanding--;
    }
  }

  #one(query: Query, resolver: string, by: 'udp' | 'tcp'): Promise<Buffer | undefined> {
    const sent = Buffer.from(query.raw);
    sent.writeUInt16BE(randomInt(LONGEST + 1), 0);
    const isAnswer = (answer: Buffer) => answers(sent, answer, query.question_end);
    const port = this.#options.port ?? DNS_PORT;
    return by === 'udp' ? byDatagram(sent, { resolver, port, isAnswer }) : byStream(sent, { resolver, port, isAnswer });
  }
}

interface Asked {
  readonly resolver: string;
  readonly port: number;
  readonly isAnswer: (answer: Buffer) => boolean;
}

/** The same id and the very same question, letter by letter. */
function answers(sent: Buffer, answer: Buffer, question_end: number): boolean {
  if (answer.length < question_end || ((answer[2] ?? 0) & RESPONSE_BIT) === 0) return false;
  const isSame = (from: number, to: number) => answer.subarray(from, to).equals(sent.subarray(from, to));
  return isSame(0, 2) && isSame(4, 6) && isSame(12, question_end);
}

function byDatagram(sent: Buffer, { resolver, port, isAnswer }: Asked): Promise<Buffer | undefined> {
  const socket = createSocket(isIPv6(resolver) ? 'udp6' : 'udp4');
  return within(
    DATAGRAM_WAIT_MS,
    () => socket.close(),
    (done) => {
      socket.on('error', () => done(undefined)); // such as a port that is closed: the next one is asked
      socket.on('message', (answer) => {
        if (isAnswer(answer)) done(answer);
      });
      // Connected: the kernel drops what comes from anywhere else. Not by a callback, which would get the error of a host that
      // has no way there in place of the event.
      socket.once('connect', () => socket.send(sent));
      socket.connect(port, resolver);
    },
  );
}

function byStream(sent: Buffer, { resolver, port, isAnswer }: Asked): Promise<Buffer | undefined> {
  const socket = connect({ host: resolver, port });
  return within(
    STREAM_WAIT_MS,
    () => socket.destroy(),
    (done) => {
      let got = Buffer.alloc(0);
      socket.on('error', () => done(undefined));
      socket.on('close', () => done(undefined));
      socket.on('data', (bytes) => {
        got = Buffer.concat([got, bytes]);
        if (got.length < 2 || got.length < 2 + got.readUInt16BE(0)) return;
        const answer = got.subarray(2, 2 + got.readUInt16BE(0));
        done(isAnswer(answer) ? answer : undefined);
      });
      socket.write(framed(sent));
    },
  );
}

function within<T>(
  wait_ms: number,
  end: () => void,
  begin: (done: (value: T | undefined) => void) => void,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => resolve(undefined), wait_ms);
  begin(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    end();
  });
}

/** As DNS goes over a stream: its length first. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
