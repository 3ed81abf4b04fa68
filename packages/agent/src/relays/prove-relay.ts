import { randomBytes } from 'node:crypto';
import { addAbortListener } from 'node:events';
import type { RelayAccess } from '@meshwork/contract';
import type { RelayTransport } from '@meshwork/contract/vocabulary';
import { usableAddresses } from '../host/usable-addresses.ts';
import { messageOf } from '../message-of.ts';
import { Allocation } from '../turn/allocation.ts';
import { openStream } from '../turn/stream-transport.ts';
import type { TurnTransport } from '../turn/transport.ts';
import { TurnError } from '../turn/turn-error.ts';
import { openUdp } from '../turn/udp-transport.ts';
import { type WayToRelay, waysToRelay } from '../turn/ways-to-relay.ts';

export interface RelayTrial {
  readonly access: RelayAccess;
  /** The roots of the mesh, in PEM: what certificates of its relays are checked against. */
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
}

export interface ProvenRelay {
  readonly via: RelayTransport;
  /** Of a packet through the relay and back. */
  readonly rtt_ms: number;
}

/** Ours: a packet that takes longer through a relay is of no use. By UDP it may be lost, and is sent again. */
const BACK_WITHIN_MS = 3000;
const AGAIN_MS = 400;
const PACKET_BYTES = 64;

/** Why a relay carries nothing, and how far it was reached. */
export class RelayProblem extends Error {
  override readonly name = 'RelayProblem';
  readonly via: RelayTransport | undefined;

  constructor(message: string, via?: RelayTransport) {
    super(message);
    this.via = via;
  }
}

/**
 * Sends a packet to itself through a relay: allocates a place there and writes to it. By UDP, or where that is blocked by TCP, or by
 * TLS. Rejects with `RelayProblem`. What a relay refuses by one way it refuses by the others.
 */
export async function proveRelay({ access, roots, signal }: RelayTrial): Promise<ProvenRelay> {
  const { relay } = access;
  const addresses = await addressesOf(access, signal);
  const problems: string[] = [];
  for (const way of waysToRelay(relay, roots)) {
    const via = way.transport;
    for (const address of addresses) {
      try {
        return { via, rtt_ms: await throughAndBack(access, { open: () => opened(way, address), addresses, signal }) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof RelayProblem || error instanceof TurnError) throw new RelayProblem(error.message, via);
        problems.push(`${via} to ${address}: ${messageOf(error)}`);
      }
    }
  }
  throw new RelayProblem(problems.join(', '));
}

async function addressesOf({ relay }: RelayAccess, signal: AbortSignal): Promise<readonly string[]> {
  const { usable, refused } = await usableAddresses(relay, signal).catch((error: unknown) => {
    throw new RelayProblem(`${relay.host} cannot be looked up: ${messageOf(error)}`);
  });
  if (usable.length > 0) return usable;
  throw new RelayProblem(
    `${relay.host} is ${refused.join(', ')}: loopback, link-local, multicast or metadata addresses are not used`,
  );
}

function opened({ transport, port, tls }: WayToRelay, address: string): Promise<TurnTransport> {
  if (transport === 'udp') return openUdp({ address, port });
  return openStream({ address, port }, tls && { servername: tls.servername, ...(tls.ca && { ca: [...tls.ca] }) });
}

interface Passage {
  readonly open: () => Promise<TurnTransport>;
  /** Of the relay. */
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
}

async function throughAndBack(access: RelayAccess, { open, addresses, signal }: Passage): Promise<number> {
  const packet = randomBytes(PACKET_BYTES);
  const { promise: back, resolve, reject } = Promise.withResolvers<void>();
  back.catch(() => undefined); // it may fail while something else is waited for, which then fails too
  using _abort = addAbortListener(signal, () => reject(signal.reason));
  const allocation = await Allocation.make(await open(), access, {
    received: (_, data) => {
      if (data.equals(packet)) resolve();
    },
    lost: reject,
  });
  try {
    const { relayed } = allocation;
    // Other relays know it by the addresses of its name, and send to no other.
    if (!addresses.includes(relayed.address)) {
      throw new RelayProblem(`it receives at ${relayed.address}, and ${access.relay.host} is ${addresses.join(', ')}`);
    }
    await allocation.permit([relayed.address]);
    return await timed(back, () => allocation.send(relayed, packet), reject);
  } finally {
    await allocation.release().catch(() => undefined); // the relay forgets it by itself
  }
}

/** Of the last packet that was sent before one came back. */
async function timed(back: Promise<void>, send: () => void, reject: (reason: Error) => void): Promise<number> {
  let sent_ms = performance.now();
  send();
  const again = setInterval(() => {
    sent_ms = performance.now();
    send();
  }, AGAIN_MS);
  const late = setTimeout(
    () => reject(new RelayProblem('a packet that was sent through it did not come back')),
    BACK_WITHIN_MS,
  );
  try {
    await back;
    return performance.now() - sent_ms;
  } finally {
    clearInterval(again);
    clearTimeout(late);
  }
}
