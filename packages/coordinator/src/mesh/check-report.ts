/** What a node says about itself is checked here, at enrolment and in heartbeats alike. The schema has seen its form. */
import { isIPv4, isIPv6 } from 'node:net';
import { isUsableEndpoint } from '@meshwork/addresses';
import { invalid, type Service } from '@meshwork/contract';

export function checkEndpoints(pointer: string, endpoints: readonly string[]): void {
  for (const [index, endpoint] of endpoints.entries()) {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(endpoint) ?? [];
    const isAddress = bracketed === undefined ? isIPv4(plain ?? '') : isIPv6(bracketed);
    if (!isAddress || Number(port) < 1 || Number(port) > 65_535) {
      throw invalid(`${pointer}/${index}`, `"${endpoint}" is not an address and a port`);
    }
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
