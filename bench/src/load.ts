import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The bytes of the next request. */
  request(count: number): string;
  /** What every answer must start with, or the measurement means nothing. */
  readonly status: number;
}

/**
 * Keeps a number of connections busy, each with one request at a time, and counts the answers. Written on bare sockets
 * because a full HTTP client costs more than the servers it would measure.
 */
export async function answersWithin(load: Load): Promise<number> {
  let answered = 0;
  let sent = 0;
  let isOver = false;
  const expected = `HTTP/1.1 ${load.status} `;
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket: Socket = connect(load.port, '127.0.0.1');
      socket.setNoDelay(true);
      let pending = '';
      const send = () => socket.write(load.request(sent++));
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => {
        pending = pending === '' ? chunk : pending + chunk;
        const length = wholeAnswer(pending);
        if (length === undefined) return;
        if (!pending.startsWith(expected)) {
          reject(new Error(`unexpected answer: ${pending.slice(0, 300)}`));
          return;
        }
        pending = pending.slice(length);
        answered++;
        if (isOver) socket.end();
        else send();
      });
    });
  const timer = setTimeout(() => {
    isOver = true;
  }, load.seconds * 1000);
  await Promise.all(Array.from({ length: load.connections }, connection));
  clearTimeout(timer);
  return answered;
}

/** The length of the first answer in the text, if it is all there. */
function wholeAnswer(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const at = text.toLowerCase().indexOf('content-length: ');
  const body = Number.parseInt(text.slice(at + 'content-length: '.length, head), 10);
  const length = head + 4 + body;
  return text.length >= length ? length : undefined;
}
