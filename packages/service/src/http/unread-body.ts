/**
 * What becomes of the body of a request that is answered before it was read, as every refusal is. Node would read it to its
 * end to keep the connection, however long it is. Here a short one is read, and before a long one the connection ends:
 * the answer goes out, our side closes, and what still arrives is thrown away for a moment and up to a bound. Closing at once would
 * make the kernel reset the connection, and the client could lose the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Up to this length it costs less to read a body than to open another connection. */
const SHORT_BYTES = 64 * 1024;
/** What is read of a longer one after the answer, and for how long. */
const LINGER_BYTES = 256 * 1024;
const LINGER_MS = 2000;

/**
 * Call it before the headers of an answer are written. True: the answer has to say `Connection: close`, and the
 * connection ends after it.
 */
export function endsUnread(response: ServerResponse): boolean {
  const { req: request, socket } = response;
  if (request.complete || !hasLongBody(request) || socket === null) return false;
  readSome(request);
  const destroySoon = socket.destroySoon.bind(socket);
  // What Node calls once an answer that is the last one of its connection is written.
  socket.destroySoon = () => linger(socket, request, destroySoon);
  return true;
}

/** What is beyond the bound stays with the kernel, and soon with the sender. */
function readSome(request: IncomingMessage): void {
  let left = LINGER_BYTES;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left <= 0) request.pause();
  });
}

function hasLongBody({ headers }: IncomingMessage): boolean {
  // It may send the body or not, now that it was refused: what comes next could be either.
  if (headers.expect !== undefined) return true;
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > SHORT_BYTES;
}

/** Until the whole body was read after all, the caller has gone, or the time is over. */
function linger(socket: Socket, request: IncomingMessage, destroySoon: () => void): void {
  const end = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(end));
  socket.end();
  if (request.complete) destroySoon();
  else request.once('end', destroySoon);
}
