import { createSocket } from 'node:dgram';
import type { Gateway } from './gateway.ts';

/** Where routers are asked by PCP and by NAT-PMP. */
export const MAPPING_PORT = 5351;
/** RFC 6886, 3.1: a quarter of a second, then twice as long. It goes on for a minute; ours is asked again soon anyway. */
const WAITS_MS = [250, 500, 1000] as const;

interface Question<T> {
  readonly gateway: Gateway;
  readonly request: Buffer;
  /** Undefined: it is no answer to us. Throws when it is a refusal. */
  readonly read: (answer: Buffer) => T | undefined;
}

/** Asks the router, and again. Rejects when it does not answer, and when it refuses. */
export async function askGateway<T>({ gateway, request, read }: Question<T>): Promise<T> {
  const answered = Promise.withResolvers<T>();
  const socket = createSocket('udp4');
  let timer: NodeJS.Timeout | undefined;
  const ask = ([wait_ms, ...rest]: readonly number[]) => {
    if (wait_ms === undefined) return answered.reject(new Error('it does not answer'));
    socket.send(request, (error) => {
      if (error !== null) answered.reject(inWords(error));
    });
    timer = setTimeout(() => ask(rest), wait_ms);
  };
  socket.on('error', (error) => answered.reject(inWords(error)));
  socket.on('message', (message) => {
    try {
      const answer = read(message);
      if (answer !== undefined) answered.resolve(answer);
    } catch (error) {
      answered.reject(error);
    }
  });
  socket.bind(0, gateway.from, () => {
    socket.connect(MAPPING_PORT, gateway.address); // the kernel then drops what comes from anywhere else
  });
  socket.on('connect', () => ask(WAITS_MS));
  try {
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

function inWords(error: Error): Error {
  const isRefused = 'code' in error && error.code === 'ECONNREFUSED';
  return isRefused ? new Error('it does not listen for it', { cause: error }) : error;
}
