import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { hostOf } from '../host/outside-addresses.ts';

interface ProbeOptions {
  readonly urls: readonly string[];
  /**
   * Addresses of the coordinators when one last answered. A name that means another address now may have been hijacked, so
   * an answer from there proves nothing. Empty: not known.
   */
  readonly known: readonly string[];
  readonly timeout_ms: number;
}

/**
 * Whether packets get to a coordinator and back: a connection opens, is refused or is reset. That needs no coordinator that works, so it tells
 * one that is down from a way that is cut. Names are resolved anew, because resolving them is part of the way.
 */
export async function reachesCoordinator({ urls, known, timeout_ms }: ProbeOptions): Promise<boolean> {
  const tries = urls.map(async (url) => {
    const addresses = await addressesOf(hostOf(url), timeout_ms);
    const usable = known.length === 0 ? addresses : addresses.filter((address) => known.includes(address));
    const port = portOf(url);
    return await anyOf(usable.map((host) => answers({ host, port, timeout_ms })));
  });
  return await anyOf(tries);
}

/** A resolver that is cut off takes its own time to say so: longer than a probe may. */
async function addressesOf(host: string, timeout_ms: number): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const timer = Promise.withResolvers<readonly string[]>();
  const over = setTimeout(() => timer.resolve([]), timeout_ms);
  const found = lookup(host, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [], // a name that cannot be resolved leads nowhere
  );
  try {
    return await Promise.race([found, timer.promise]);
  } finally {
    clearTimeout(over);
  }
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Host rules drop and never refuse or reset, so either has come from the other side. */
const CAME_BACK = ['ECONNREFUSED', 'ECONNRESET'];

function answers({ host, port, timeout_ms }: { host: string; port: number; timeout_ms: number }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, timeout: timeout_ms });
  socket.once('connect', () => resolve(true));
  // A process that stood still finds both at once, the timer first: the connection gets its say.
  socket.once('timeout', () => setImmediate(() => resolve(false)));
  socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(CAME_BACK.includes(code)));
  return promise.finally(() => socket.destroy());
}

async function anyOf(tries: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(tries)).includes(true);
}
