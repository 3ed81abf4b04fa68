/** Mappings of a UPnP Internet Gateway Device: its service WANIPConnection, or WANPPPConnection. */
import { randomInt } from 'node:crypto';
import { plainAddress } from '@meshwork/addresses';
import type { Gateway } from './gateway.ts';
import {
  type GrantedMapping,
  type HeldMapping,
  LIFETIME_S,
  type MappingProtocol,
  publicAddress,
  type UpnpControl,
  type WantedMapping,
} from './mapping-protocol.ts';
import { textIn } from './small-xml.ts';
import { findDescription } from './ssdp.ts';
import { callRouter, readServices, UpnpFault } from './upnp-call.ts';

/** Of the service, by their numbers. */
const FAULTS = { invalid_arguments: 402, no_such_entry: 714, taken: 718, permanent_only: 725 } as const;
/** Ours: a port that another host has is not taken from it. */
const OTHER_PORTS = 3;
const DYNAMIC_PORTS = { first: 49_152, end: 65_536 } as const;
/** Shown by routers beside the mapping. */
const LABEL = 'meshwork';

export const upnpIgd: MappingProtocol = {
  method: 'UPnP',
  map: async (gateway, wanted) => {
    const services = await readServices(gateway, await findDescription(gateway));
    if (services.length === 0) throw new Error('it has no service that maps ports');
    const { control, address } = await connected(gateway, services);
    const others = Array.from({ length: OTHER_PORTS }, () => randomInt(DYNAMIC_PORTS.first, DYNAMIC_PORTS.end));
    for (const port of [wanted.outside_port, ...others]) {
      const granted = await mapAt(gateway, control, { ...wanted, outside_port: port });
      if (granted !== undefined) return { ...granted, address, port, epoch_s: null, control };
    }
    throw new Error('other hosts have the ports that were asked for');
  },
  unmap: async ({ gateway, control, port }) => {
    if (control !== undefined) await callRouter(gateway, control, 'DeletePortMapping', entryAt(port));
  },
  check: async (held) => {
    const { gateway, control, address } = held;
    if (control === undefined) return 'lost';
    if ((await addressOutside(gateway, control)) !== address) return 'lost';
    const owner = await ownerOf(gateway, control, held);
    return owner === 'us' || owner === 'unknown' ? { epoch_s: null } : 'lost';
  },
};

/** The first service with an address that peers can find. Before a mapping is made: some routers keep one for ever. */
async function connected(
  gateway: Gateway,
  services: readonly UpnpControl[],
): Promise<{ readonly control: UpnpControl; readonly address: string }> {
  let reason: unknown;
  for (const control of services) {
    try {
      return { control, address: publicAddress(await addressOutside(gateway, control)) };
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
}

async function addressOutside(gateway: Gateway, control: UpnpControl): Promise<string> {
  const answer = await callRouter(gateway, control, 'GetExternalIPAddress');
  const address = textIn(answer, 'NewExternalIPAddress') ?? '';
  return plainAddress(address) ?? '0.0.0.0';
}

/** Undefined: another host has the port. */
async function mapAt(
  gateway: Gateway,
  control: UpnpControl,
  { port, outside_port }: WantedMapping,
): Promise<Pick<GrantedMapping, 'lifetime_s'> | undefined> {
  // Some routers give a port away that another host has.
  if ((await ownerOf(gateway, control, { inside_port: port, port: outside_port })) === 'another') return undefined;
  const add = async (lifetime_s: number) =>
    await callRouter(gateway, control, 'AddPortMapping', {
      ...entryAt(outside_port),
      NewInternalPort: port,
      NewInternalClient: gateway.from,
      NewEnabled: 1,
      NewPortMappingDescription: LABEL,
      NewLeaseDuration: lifetime_s,
    });
  try {
    await add(LIFETIME_S);
    return { lifetime_s: LIFETIME_S };
  } catch (error) {
    if (isFault(error, FAULTS.taken)) return undefined;
    // Some routers know no end of a mapping, and not all of them say so by the number for it.
    if (!isFault(error, FAULTS.permanent_only) && !isFault(error, FAULTS.invalid_arguments)) throw error;
    await add(0);
    return { lifetime_s: null };
  }
}

/** Who has a port outside. `unknown`: the router does not say. */
async function ownerOf(
  gateway: Gateway,
  control: UpnpControl,
  { inside_port, port }: Pick<HeldMapping, 'inside_port' | 'port'>,
): Promise<'us' | 'another' | 'none' | 'unknown'> {
  try {
    const entry = await callRouter(gateway, control, 'GetSpecificPortMappingEntry', entryAt(port));
    const isOurs =
      textIn(entry, 'NewInternalClient') === gateway.from && textIn(entry, 'NewInternalPort') === String(inside_port);
    return isOurs ? 'us' : 'another';
  } catch (error) {
    if (!(error instanceof UpnpFault)) throw error;
    return error.code === FAULTS.no_such_entry ? 'none' : 'unknown';
  }
}

function entryAt(port: number) {
  return { NewRemoteHost: '', NewExternalPort: port, NewProtocol: 'UDP' };
}

function isFault(error: unknown, code: number): boolean {
  return error instanceof UpnpFault && error.code === code;
}
