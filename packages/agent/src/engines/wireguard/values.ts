import { embedsFour, endpointOf, exactNetwork, formatAddress, formatNetwork, parseAddress } from '@meshwork/addresses';
import type { Change, PeerUpsert } from './driver.ts';

/**
 * What WireGuard takes, in the one spelling in which it is read back. Everything is looked at before it is sent: an
 * engine keeps what came before a bad line, and a line break in a value would be a line of its own.
 */

const KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const ENDPOINT = /^(?:([0-9.]{7,15})|\[([0-9a-fA-F.:]{2,45})\]):(\d{1,5})$/;
const MAX_MARK = 0xffff_ffff;
const MAX_KEEPALIVE_S = 65_535;

export function isKey(text: string): boolean {
  return KEY.test(text);
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

export function isMark(mark: number): boolean {
  return Number.isInteger(mark) && mark >= 0 && mark <= MAX_MARK;
}

/** Undefined: it is no network, or has bits set behind its prefix. */
export function canonicalNetwork(text: string): string | undefined {
  const network = exactNetwork(text);
  if (network === undefined || embedsFour({ family: network.family, value: network.base })) return undefined;
  return formatNetwork(network);
}

/** Undefined: it is no address with a port. Host names are not accepted: callers resolve them first. */
export function canonicalEndpoint(text: string): string | undefined {
  const [, four, six, digits] = ENDPOINT.exec(text) ?? [];
  const address = canonicalAddress(four ?? six ?? '');
  const port = Number(digits);
  if (address === undefined || !isPort(port)) return undefined;
  return endpointOf(address, port);
}

/** Throws if there is anything in it that WireGuard would not take. Secrets are not repeated. */
export function checkChange({ private_key, port, mark, upsert, remove }: Change): void {
  if (private_key !== undefined && !isKey(private_key)) throw new TypeError('the private key is no WireGuard key');
  if (port !== undefined && !isPort(port)) throw new TypeError(`${port} is no UDP port`);
  if (mark !== undefined && !isMark(mark)) throw new TypeError(`${mark} is no mark of 32 bits`);
  for (const peer of upsert) checkPeer(peer);
  for (const key of remove) checkKey(key);
}

function checkPeer({ key, networks, endpoint, keepalive_s }: PeerUpsert): void {
  checkKey(key);
  for (const network of networks)
    if (canonicalNetwork(network) === undefined) throw new TypeError(`${JSON.stringify(network)} is no network`);
  if (endpoint !== undefined && canonicalEndpoint(endpoint) === undefined)
    throw new TypeError(`${JSON.stringify(endpoint)} is no address with a port`);
  if (!Number.isInteger(keepalive_s) || keepalive_s < 0 || keepalive_s > MAX_KEEPALIVE_S)
    throw new TypeError(`${keepalive_s} is no keepalive interval in seconds`);
}

function checkKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} is no WireGuard key`);
}

/** As the C library writes it, and Go does too: what is read back is compared as text. */
function canonicalAddress(text: string): string | undefined {
  const address = parseAddress(text);
  return address === undefined || embedsFour(address) ? undefined : formatAddress(address);
}
