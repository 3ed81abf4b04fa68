/** Listens for DNS on one address, by UDP and TCP. Only this host may ask: a peer that could would use it as its own resolver. */
import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import { plainAddress } from '@meshwork/addresses';
import { framed } from './forwarder.ts';
import type { NameServer } from './name-server.ts';
import { RCODE, refusal } from './query.ts';

/** Ours: a resolver of a host keeps one or two. */
const MAX_CONNECTIONS = 32;
const IDLE_MS = 5000;
/** Ours: no query is longer. */
const LONGEST_QUERY = 4096;

interface ListenerOptions {
  readonly address: string;
  readonly port: number;
  readonly server: NameServer;
  /** Whether an address is this host's own. */
  readonly isOwn: (address: string) => boolean;
}

export class Listener {
  readonly address: string;
  readonly port: number;
  readonly #datagrams: Datagrams;
  readonly #streams: Server;

  private constructor(address: string, datagrams: Datagrams, streams: Server) {
    this.address = address;
    this.port = datagrams.address().port;
    this.#datagrams = datagrams;
    this.#streams = streams;
    // Neither keeps the agent alive.
    datagrams.unref();
    streams.unref();
  }

  /** Rejects as the socket does: `EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`. */
  static async open({ address, port, server, isOwn }: ListenerOptions): Promise<Listener> {
    const datagrams = createSocket(isIPv6(address) ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
    const streams = createServer({ noDelay: true });
    try {
      datagrams.bind({ address, port, exclusive: true });
      await once(datagrams, 'listening');
      streams.maxConnections = MAX_CONNECTIONS;
      streams.listen({ host: address, port: datagrams.address().port, exclusive: true });
      await once(streams, 'listening');
    } catch (error) {
      datagrams.close();
      streams.close();
      throw error;
    }
    const isOurs = (from: string | undefined) => isOwn(plainAddress(from ?? '') ?? '');
    const failed = () => undefined; // of one datagram or connection: its asker asks again
    datagrams.on('error', failed);
    streams.on('error', failed);
    datagrams.on('message', (raw, from) => {
      const reply = (answer: Buffer | undefined) => {
        if (answer !== undefined) datagrams.send(answer, from.port, from.address, failed);
      };
      if (!isOurs(from.address)) return reply(raw.length < 12 ? undefined : refusal(raw, RCODE.refused));
      const answer = server.answer(raw, 'udp');
      if (answer instanceof Promise) void answer.then(reply);
      else reply(answer);
    });
    streams.on('connection', (socket) => {
      if (isOurs(socket.remoteAddress)) void serveStream(socket, server);
      else socket.destroy();
    });
    return new Listener(address, datagrams, streams);
  }

  close(): void {
    this.#datagrams.close();
    this.#streams.close();
  }
}

/** One query after the other. Ends with the first that is none, or longer than any. */
async function serveStream(socket: Socket, server: NameServer): Promise<void> {
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.unref();
  let got: Buffer = Buffer.alloc(0);
  try {
    for await (const bytes of socket) {
      got = Buffer.concat([got, bytes as Buffer]);
      while (got.length >= 2) {
        const length = got.readUInt16BE(0);
        if (length > LONGEST_QUERY) return;
        if (got.length < 2 + length) break;
        const answer = await server.answer(Buffer.from(got.subarray(2, 2 + length)), 'tcp');
        if (answer === undefined) return;
        socket.write(framed(answer));
        if (((answer[3] ?? 0) & 0x0f) === RCODE.format) return;
        got = got.subarray(2 + length);
      }
    }
  } catch {
    return; // the connection broke: there is no one left to answer
  } finally {
    socket.end();
    socket.destroySoon();
  }
}
