import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { FAMILIES, familyOf, plainAddress } from '@meshwork/addresses';
import { ownAddresses } from '../../host/own-addresses.ts';
import { type NamedHost, usableAddresses } from '../../host/usable-addresses.ts';
import type { TurnPlace } from './turn-config.ts';

/** Addresses for documentation: no host has them, and a route to them is the way to anywhere. Nothing is sent there. */
const ANYWHERE = { 4: '192.0.2.1', 6: '2001:db8::1' } as const;

/** What is looked up. Tests may put another one in its place. */
export interface PlaceSources {
  readonly resolve: typeof usableAddresses;
  /** Of this host. */
  readonly local: () => readonly string[];
  /** From which of its addresses the host would send there. Undefined: it has no way there. */
  readonly sourceTo: (address: string) => Promise<string | undefined>;
}

const PLACE_SOURCES: PlaceSources = { resolve: usableAddresses, local: ownAddresses, sourceTo };

/**
 * Where the relay of this host listens: at the addresses that its name leads nodes to. One that is no address of the host is a
 * router's in front of it, as machines in clouds have it, which passes on what arrives there.
 */
export async function turnPlaces(relay: NamedHost, sources: PlaceSources = PLACE_SOURCES): Promise<TurnPlace[]> {
  const { usable } = await sources.resolve(relay);
  const local = new Set(sources.local());
  const places: TurnPlace[] = [];
  for (const address of usable) {
    if (local.has(address)) places.push({ local: address });
    else {
      const source = await sources.sourceTo(address);
      if (source !== undefined) places.push({ local: source, outside: address });
    }
  }
  if (places.length > 0) return firstOfEach(places);
  // Debian gives a machine the name of a loopback address in its own eyes: what nodes see is not known here.
  const sent = await Promise.all(FAMILIES.map((family) => sources.sourceTo(ANYWHERE[family])));
  const found = sent.flatMap((source) => (source === undefined ? [] : [{ local: source }]));
  if (found.length === 0) throw new Error(`${relay.host} leads to no address that this host could have`);
  return found;
}

/** A local address stands for one outside of it: coturn cannot tell two apart. */
function firstOfEach(places: readonly TurnPlace[]): TurnPlace[] {
  return places.filter(({ local }, index) => places.findIndex((one) => one.local === local) === index);
}

/** A datagram socket is tied to an address without sending anything. */
async function sourceTo(address: string): Promise<string | undefined> {
  const socket = createSocket(familyOf(address) === 6 ? 'udp6' : 'udp4');
  try {
    socket.connect(9, address);
    await once(socket, 'connect');
    return plainAddress(socket.address().address) ?? undefined;
  } catch {
    return undefined; // no route, or no such family on this host
  } finally {
    socket.close();
  }
}
