import { connect, type Socket } from 'node:net';

/** The daemon refused a request. What stood before the refused line is done. */
export class UapiError extends Error {
  override readonly name = 'UapiError';
  /** Of the system, positive. */
  readonly errno: number;

  constructor(errno: number) {
    super(`wireguard-go refused a request (errno ${errno})`);
    this.errno = errno;
  }
}

/** No daemon answers at the socket: it does not exist, it is stale, or its daemon is ending. */
export class NoDaemonError extends Error {
  override readonly name = 'NoDaemonError';
}

/** Ours: a change of ten thousand peers takes a second or two. A daemon that takes longer hangs. */
const ANSWER_TIMEOUT_MS = 30_000;

/** One request on a connection of its own. Rejects with `UapiError`, `NoDaemonError`, or what else went wrong. */
export async function ask(path: string, request: string): Promise<string> {
  const socket = await reach(path);
  try {
    const reply = await answerOn(socket, request);
    const errno = Number(/(?:^|\n)errno=(-?\d+)\n\n$/.exec(reply.slice(-40))?.[1]);
    if (Number.isNaN(errno)) throw new Error('wireguard-go answered without saying how it went');
    if (errno !== 0) throw new UapiError(Math.abs(errno));
    return reply;
  } finally {
    socket.destroy();
  }
}

/** A connection to the daemon. One that is only held ends when the daemon does, which is how we notice. */
export function reach(path: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(path);
  socket.once('error', (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
    reject(isMissing ? new NoDaemonError(`no daemon answers at ${path}: ${error.code}`, { cause: error }) : error);
  });
  socket.once('connect', () => resolve(socket));
  return promise;
}

function answerOn(socket: Socket, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => reject(new Error('wireguard-go does not answer in time')));
  socket.on('error', () => reject(new NoDaemonError('wireguard-go broke off')));
  socket.on('close', () => reject(new NoDaemonError('wireguard-go ended without an answer')));
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    // The end may be cut in two: look at no less than its two line breaks.
    const last = chunk.length > 1 ? chunk : Buffer.concat(chunks.slice(-2));
    if (last.subarray(-2).toString('latin1') === '\n\n') resolve(Buffer.concat(chunks).toString('latin1'));
  });
  socket.write(request);
  return promise;
}
