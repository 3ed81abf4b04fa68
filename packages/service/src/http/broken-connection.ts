import type { Socket } from 'node:net';
import { MeshError } from '@meshwork/contract';
import { problemOf } from './problems.ts';

/** What cannot be read as HTTP never becomes a request; it is answered on the bare socket, and that is closed. */
export function answerBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  // Once something was sent, an answer may be under way, and another would end up in the middle of it.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const detail =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The headers are too large.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request took too long to arrive.'
        : 'The request is not valid HTTP.';
  const body = JSON.stringify(problemOf(new MeshError('malformed_request', detail), 'none'));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
