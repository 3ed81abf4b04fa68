import { type Address, type Family, parseAddress } from './address.ts';
import { holds, type Network, readNetwork } from './network.ts';

/** `global`: routed everywhere. `private`: only hosts nearby can reach it. `unusable`: no peer can be there. */
type AddressKind = 'global' | 'private' | 'unusable';

/** Loopback, link-local, multicast, broadcast, unspecified, and the metadata services of clouds. */
const UNUSABLE = byFamily([
  '0.0.0.0/8',
  '100.100.100.200/32', // metadata of Alibaba Cloud
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and the metadata of most clouds
  '192.0.0.0/24', // given by a translator (464XLAT, DS-Lite) to its own host only
  '224.0.0.0/4',
  '240.0.0.0/4', // reserved, and broadcast
  '::/96', // unspecified, loopback, and the deprecated IPv4-compatible addresses
  'fd00:ec2::254/128', // metadata of AWS
  'fe80::/10',
  'ff00::/8',
]);

const PRIVATE = byFamily([
  '10.0.0.0/8',
  '100.64.0.0/10', // a carrier's NAT; a mesh that uses this network compares with its own networks first
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
  'fec0::/10',
]);

const MAPPED = readNetwork('::ffff:0:0/96');

/** Translated on the way, to an IPv4 address that may be any: NAT64, 6to4, Teredo. */
const TRANSLATED = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'].map(readNetwork);

/** Whether an address stands for another one that is not looked at here. */
export function isTranslated(address: Address): boolean {
  return TRANSLATED.some((network) => holds(network, address));
}

/** Of an address in any spelling; a mapped IPv4 address counts as IPv4. A text that is no address is unusable. */
export function kindOfAddress(text: string): AddressKind {
  const parsed = parseAddress(text);
  if (parsed === undefined) return 'unusable';
  const address: Address = holds(MAPPED, parsed) ? { family: 4, value: parsed.value & 0xffff_ffffn } : parsed;
  if (isIn(UNUSABLE, address)) return 'unusable';
  return isIn(PRIVATE, address) ? 'private' : 'global';
}

type ByFamily = Readonly<Record<Family, readonly Network[]>>;

function byFamily(texts: readonly string[]): ByFamily {
  const networks = texts.map(readNetwork);
  return { 4: networks.filter(({ family }) => family === 4), 6: networks.filter(({ family }) => family === 6) };
}

function isIn(networks: ByFamily, address: Address): boolean {
  return networks[address.family].some((network) => holds(network, address));
}
