/** What a node says about itself is checked here, at enrolment and in heartbeats alike. The schema has seen its form. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { invalid, type Service } from '@meshwork/contract';
import { formatNetwork, overlaps, parseNetwork } from '@meshwork/policy';
import type { View } from '../mesh/model.ts';
import { ownNetworks } from '../mesh/own-networks.ts';

export function checkEndpoints(pointer: string, endpoints: readonly string[]): void {
  for (const [index, endpoint] of endpoints.entries()) {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(endpoint) ?? [];
    const isAddress = bracketed === undefined ? isIPv4(plain ?? '') : isIPv6(bracketed);
    if (!isAddress || Number(port) < 1 || Number(port) > 65_535) {
      throw invalid(`${pointer}/${index}`, `"${endpoint}" is not an address and a port`);
    }
  }
}

export function checkServices(pointer: string, services: readonly Service[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of services.entries()) {
    if (seen.has(name)) throw invalid(`${pointer}/${index}/name`, `"${name}" is there twice`);
    seen.add(name);
  }
}

/** Networks that a node may forward to: any that is none of the mesh's own. */
export function checkRoutes(view: View, pointer: string, routes: readonly string[]): void {
  if (routes.length === 0) return;
  const own = Object.values(ownNetworks(view));
  for (const [index, text] of routes.entries()) {
    if (isIPv4InDisguise(text)) {
      throw invalid(`${pointer}/${index}`, `${text} is an IPv4 network written as IPv6; write it as IPv4`);
    }
    const network = parseNetwork(text);
    if (network === undefined) {
      throw invalid(`${pointer}/${index}`, `"${text}" is not a network; is a bit set behind its prefix?`);
    }
    const touched = own.find((one) => overlaps(network, one));
    if (touched !== undefined) {
      const addresses = formatNetwork(touched);
      throw invalid(`${pointer}/${index}`, `${text} overlaps ${addresses}, the addresses of the mesh itself`);
    }
  }
}

/** Such as `::ffff:10.0.0.0/104`. It is written in more ways than one, and agents take none of them. */
function isIPv4InDisguise(network: string): boolean {
  const [address = ''] = network.split('/');
  return isIPv6(address) && new SocketAddress({ address, family: 'ipv6' }).address.includes('.');
}

const ZERO_KEY = `${'A'.repeat(43)}=`;

/** A key of zeros is what a broken agent sends, and everybody's. */
export function checkKey(pointer: string, key: string): void {
  if (key === ZERO_KEY) throw invalid(pointer, 'is all zeros');
}
