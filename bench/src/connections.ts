import { connect, type Socket } from 'node:net';

/** One connection that sends requests by hand and counts what comes back. */
export class Connection {
  readonly #socket: Socket;
  #pending = '';
  #answered: ((text: string) => void) | undefined;
  bytes = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => this.#take(String(chunk)));
    socket.on('error', () => undefined); // a caller that waits for an answer notices by the missing answer
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Sends a request. Resolves with the body of its answer, and throws when that is not a good one. */
  send(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = (text) => {
        if (text.startsWith('HTTP/1.1 200 ')) resolve(text.slice(text.indexOf('\r\n\r\n') + 4));
        else reject(new Error(`unexpected answer: ${text.slice(0, 300)}`));
      };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.bytes += chunk.length;
    this.#pending += chunk;
    const head = this.#pending.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#pending.slice(0, head))?.[1] ?? 0);
    if (this.#pending.length < head + 4 + length) return;
    const text = this.#pending;
    this.#pending = '';
    this.#answered?.(text);
  }
}

/** Opens many, a few at a time: the queue of those not yet accepted is short. */
export async function openConnections(port: number, count: number): Promise<Connection[]> {
  const open: Connection[] = [];
  while (open.length < count) {
    const some = Math.min(100, count - open.length);
    open.push(...(await Promise.all(Array.from({ length: some }, () => Connection.open(port)))));
  }
  return open;
}
