import { BlockList, isIP, SocketAddress } from 'node:net';

/** `global`: routed everywhere. `private`: means something only to those nearby. `unusable`: no peer can send there. */
export type AddressKind = 'global' | 'private' | 'unusable';

const UNUSABLE = networks([
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24', // given by a translator (464XLAT, DS-Lite) to its own host only
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  'fe80::/10',
  'ff00::/8',
]);

const PRIVATE = networks([
  '10.0.0.0/8',
  '100.64.0.0/10', // a carrier's NAT. Those of the mesh, where it uses this network, are told apart by `networks`
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
  'fec0::/10',
]);

/** The one spelling of an address: lower case, zeros shortened, IPv4 as IPv4. Null: it is none, or one with a zone. */
export function plainAddress(text: string): string | null {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return null;
  if (version === 4) return text;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? []; // a socket for both families spells IPv4 so
  return mapped ?? address;
}

export function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}

export function kindOf(address: string): AddressKind {
  if (within(UNUSABLE, address)) return 'unusable';
  return within(PRIVATE, address) ? 'private' : 'global';
}

/** As the contract spells an endpoint. */
export function endpointOf(address: string, port: number): string {
  return familyOf(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Networks, as `100.64.0.0/10`. Throws for a text that is none. */
export function networks(list: readonly string[]): BlockList {
  const block = new BlockList();
  for (const network of list) {
    const [address = '', prefix = ''] = network.split('/');
    block.addSubnet(address, Number.parseInt(prefix, 10), typeOf(address));
  }
  return block;
}

export function within(block: BlockList, address: string): boolean {
  return block.check(address, typeOf(address));
}

function typeOf(address: string): 'ipv4' | 'ipv6' {
  return familyOf(address) === 6 ? 'ipv6' : 'ipv4';
}
