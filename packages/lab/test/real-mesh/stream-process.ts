/** The program of `stream.ts`: one end of streams, in a namespace. Does what it is asked until its channel closes. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type EndState, PART_MARK, type StreamAnswers, type StreamCall, type StreamRequest } from './stream-calls.ts';

const PART_BYTES = 1024;
const EVERY_MS = 20;
/** So many parts at once fill the largest packets that there may be. */
const BURST_PARTS = 64;

const listening = new Set<number>();
const ends = new Map<number, End>();

process.on('message', (call: StreamCall) => {
  answer(call).then(
    (result) => process.send?.({ id: call.id, result }),
    (error: unknown) => process.send?.({ id: call.id, failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

async function answer(request: StreamRequest): Promise<StreamAnswers[StreamRequest['do']]> {
  switch (request.do) {
    case 'listen':
      return await listen(request.port);
    case 'connect':
      return await open(request);
    case 'state':
      return ends.get(request.port)?.state() ?? null;
    case 'mark':
      ends.get(request.port)?.mark();
      return null;
    case 'burst':
      ends.get(request.port)?.burst();
      return null;
    case 'end':
      ends.get(request.port)?.end();
      ends.delete(request.port);
      return null;
  }
}

/** From now on. The last that connects is the end of the stream. */
async function listen(port: number): Promise<null> {
  if (listening.has(port)) return null;
  listening.add(port);
  const server = createServer((socket) => ends.set(port, new End(socket)));
  server.listen({ port, host: '::' });
  await once(server, 'listening');
  return null;
}

async function open({ host, port, timeout_ms }: StreamRequest & { do: 'connect' }): Promise<null> {
  const socket = connect({ host, port });
  const timer = setTimeout(() => socket.destroy(new Error(`no stream to ${host}:${port} in time`)), timeout_ms);
  await once(socket, 'connect'); // rejects with why it could not
  clearTimeout(timer);
  ends.set(port, new End(socket));
  return null;
}

/** Each part says its number, so that what is lost, or comes twice, shows at the other end. */
function part(number: number): Buffer {
  const bytes = Buffer.alloc(PART_BYTES, 'x');
  bytes.write(`${PART_MARK} ${String(number).padStart(10, '0')} `);
  return bytes;
}

/** Talks and listens at the same time, neither waiting for the other. */
class End {
  readonly #socket: Socket;
  readonly #talk: NodeJS.Timeout;
  #parts = 0;
  #received = 0;
  #last_ms = machineTime();
  #gap_ms = 0;
  #ended: string | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.#check(chunk);
      this.#received += chunk.length;
      this.#gap_ms = this.#gapBy(machineTime());
      this.#last_ms = machineTime();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#ended = error.code ?? error.message;
    });
    socket.on('close', () => {
      clearInterval(this.#talk);
      this.#ended ??= 'closed';
    });
    // What is not taken from us is not added to, so that a stream that is stuck goes on where it was.
    this.#talk = setInterval(() => socket.writableNeedDrain || socket.write(part(this.#parts++)), EVERY_MS);
  }

  state(): EndState {
    const gap_ms = this.#gapBy(machineTime());
    return { received_bytes: this.#received, last_ms: this.#last_ms, gap_ms, ended: this.#ended };
  }

  mark(): void {
    this.#gap_ms = 0;
  }

  burst(): void {
    const parts = Array.from({ length: BURST_PARTS }, () => part(this.#parts++));
    this.#socket.write(Buffer.concat(parts));
  }

  end(): void {
    this.#socket.destroy();
  }

  #check(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const from = (this.#received + at) % PART_BYTES;
      const wanted = part(Math.floor((this.#received + at) / PART_BYTES)).subarray(from, from + chunk.length - at);
      if (wanted.compare(chunk, at, at + wanted.length) !== 0) {
        this.#ended ??= `not what was sent, from byte ${this.#received + at} on`;
        this.#socket.destroy();
      }
      at += wanted.length;
    }
  }

  #gapBy(now_ms: number): number {
    return Math.max(this.#gap_ms, now_ms - this.#last_ms);
  }
}

/** One monotonic clock for all processes of this machine. */
function machineTime(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
