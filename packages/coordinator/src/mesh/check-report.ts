/** What a node says about itself is checked here, at enrolment and in heartbeats alike. The schema has seen its form. */
import { isIPv4, isIPv6 } from 'node:net';
import { isUsableEndpoint } from '@meshwork/addresses';
import { invalid, type RelayedPlace, type Service } from '@meshwork/contract';

export function checkEndpoints(pointer: string, endpoints: readonly string[]): void {
  for (const [index, endpoint] of endpoints.entries()) checkEndpoint(`${pointer}/${index}`, endpoint);
}

export function checkRelayed(pointer: string, places: readonly RelayedPlace[]): void {
  for (const [index, { endpoint }] of places.entries()) checkEndpoint(`${pointer}/${index}/endpoint`, endpoint);
}

function checkEndpoint(pointer: string, endpoint: string): void {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(endpoint) ?? [];
  const isAddress = bracketed === undefined ? isIPv4(plain ?? '') : isIPv6(bracketed);
  if (!isAddress || Number(port) < 1 || Number(port) > 65_535) {
    throw invalid(pointer, `"${endpoint}" is not an address and a port`);
  }
}

/** Those that a peer can have, and the others: loopback, link-local, multicast, broadcast, metadata of clouds. */
export function sortEndpoints(endpoints: readonly string[]): {
  usable: readonly string[];
  left_out: readonly string[];
} {
  const left_out = endpoints.filter((endpoint) => !isUsableEndpoint(endpoint));
  return { usable: left_out.length === 0 ? endpoints : endpoints.filter(isUsableEndpoint), left_out };
}

/** Those of relays that a peer can send to. `any_address`: the operator allows relays at other addresses too. */
export function sortRelayed(
  places: readonly RelayedPlace[],
  any_address: boolean,
): { usable: readonly RelayedPlace[]; left_out: readonly string[] } {
  if (any_address) return { usable: places, left_out: [] };
  const { left_out } = sortEndpoints(places.map(({ endpoint }) => endpoint));
  return { usable: places.filter(({ endpoint }) => !left_out.includes(endpoint)), left_out };
}

export function checkServices(pointer: string, services: readonly Service[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of services.entries()) {
    if (seen.has(name)) throw invalid(`${pointer}/${index}/name`, `"${name}" is there twice`);
    seen.add(name);
  }
}

const ZERO_KEY = `${'A'.repeat(43)}=`;

/** A key of zeros is what broken agents send, and any of them would share it. */
export function checkKey(pointer: string, key: string): void {
  if (key === ZERO_KEY) throw invalid(pointer, 'is all zeros');
}
