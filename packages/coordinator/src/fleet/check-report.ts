/** What a node says about itself is checked here, at enrolment and in heartbeats alike. The schema has seen its form. */
import { isIPv4, isIPv6 } from 'node:net';
import { invalid, type Service } from '@meshwork/contract';
import type { View } from '../mesh/model.ts';
import { overlaps, parseNetwork } from '../mesh/networks.ts';
import { settingsOf } from '../mesh/settings-of.ts';

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
  const { address_pool } = settingsOf(view).nodes;
  const own = parseNetwork(address_pool);
  for (const [index, text] of routes.entries()) {
    const network = parseNetwork(text);
    if (network === undefined) {
      throw invalid(`${pointer}/${index}`, `"${text}" is not a network; is a bit set behind its prefix?`);
    }
    if (own !== undefined && overlaps(network, own)) {
      throw invalid(`${pointer}/${index}`, `${text} overlaps ${address_pool}, the addresses of the mesh itself`);
    }
  }
}

const ZERO_KEY = `${'A'.repeat(43)}=`;

/** A key of zeros is what a broken agent sends, and everybody's. */
export function checkKey(pointer: string, key: string): void {
  if (key === ZERO_KEY) throw invalid(pointer, 'is all zeros');
}
