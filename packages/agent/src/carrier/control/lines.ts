import type { Socket } from 'node:net';

/** Ours: a change of two thousand links, or the state of twenty thousand. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Ours: what the other side does not read within so much is not worth keeping. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Lines of JSON on a socket. A line that is none, or has no end, is the end of the socket. */
export function readLines(socket: Socket, received: (value: unknown) => void): void {
  let [chunks, bytes]: [Buffer[], number] = [[], 0];
  const take = (line: Buffer) => {
    let value: unknown;
    try {
      value = JSON.parse(line.toString('utf8'));
    } catch {
      socket.destroy(); // it speaks something else
      return;
    }
    received(value);
  };
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0 && !socket.destroyed; end = rest.indexOf(10)) {
      const line = Buffer.concat([...chunks, rest.subarray(0, end)]);
      [chunks, bytes, rest] = [[], 0, rest.subarray(end + 1)];
      take(line);
    }
    if (rest.length > 0) chunks.push(rest);
    bytes += rest.length;
    if (bytes > MAX_LINE_BYTES) socket.destroy();
  });
}

export function writeLine(socket: Socket, value: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
}

/** Whether the other side is so far behind that reports to it are dropped. */
export function isBehind(socket: Socket): boolean {
  return socket.writableLength > MAX_WAITING_BYTES;
}
