/** Requests whose body is far longer than anything would take, and what a server in this process read of them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';

interface Flooded {
  /** Everything that came back. */
  readonly answer: string;
  /** What the server read from the connection until it was over. */
  readonly read_bytes: number;
}

const PIECE = Buffer.alloc(64 * 1024, 'x');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);

/**
 * `body_bytes`: how long the body is; Infinity: it never ends. Resolves once the connection is over. The server has to be
 * in this process and listen on 127.0.0.1.
 */
export async function flood(port: number, head: readonly string[], body_bytes: number): Promise<Flooded> {
  const accepted: Socket[] = [];
  const found = Promise.withResolvers<Socket>();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: body_bytes === Number.POSITIVE_INFINITY });
  const look = () => {
    const other = accepted.find(({ remotePort }) => remotePort === socket.localPort);
    if (other !== undefined) found.resolve(other);
  };
  const whenAccepted = (message: unknown) => {
    accepted.push((message as { readonly socket: Socket }).socket);
    look();
  };
  subscribe('net.server.socket', whenAccepted);
  socket.once('connect', look);
  try {
    const other = await found.promise;
    const otherClosed = closeOf(other);
    const answer = await talk(socket, head, body_bytes);
    await otherClosed;
    return { answer, read_bytes: other.bytesRead };
  } finally {
    unsubscribe('net.server.socket', whenAccepted);
  }
}

/** Sends for as long as the other side takes it, and reads at the same time, as a careful client does. */
async function talk(socket: Socket, head: readonly string[], body_bytes: number): Promise<string> {
  let answer = '';
  let isOver = false;
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => undefined); // a reset behind the answer; what counts is whether that arrived
  const closed = closeOf(socket).then(() => {
    isOver = true;
  });
  const isEndless = body_bytes === Number.POSITIVE_INFINITY;
  const length = isEndless ? 'Transfer-Encoding: chunked' : `Content-Length: ${body_bytes}`;
  socket.write(`${[...head, length].join('\r\n')}\r\n\r\n`);
  for (let sent = 0; !isOver && sent < body_bytes; sent += PIECE.length) {
    const rest = Math.min(PIECE.length, body_bytes - sent);
    const isTaken = socket.write(isEndless ? CHUNK : PIECE.subarray(0, rest));
    if (!isTaken) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  await closed;
  return answer;
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('close', () => resolve()));
}
