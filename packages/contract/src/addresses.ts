/**
 * What an address can be used for, as coordinator and agents both see it. A package of its own to import (`/addresses`): it needs
 * Node's network module, which a browser does not have.
 */
import { BlockList, isIP, SocketAddress } from 'node:net';

/** `global`: routed everywhere. `private`: means something only to those nearby. `unusable`: no peer can be there. */
type AddressKind = 'global' | 'private' | 'unusable';

/** Loopback, link-local, multicast, broadcast, unspecified, and where clouds answer questions about the machine itself. */
const UNUSABLE = networks([
  '0.0.0.0/8',
  '100.100.100.200/32', // metadata of Alibaba Cloud
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and the metadata of most clouds
  '192.0.0.0/24', // given by a translator (464XLAT, DS-Lite) to its own host only
  '224.0.0.0/4',
  '240.0.0.0/4', // reserved, and broadcast
  '::/96', // unspecified, loopback, and IPv4 in its oldest disguise
  'fd00:ec2::254/128', // metadata of AWS
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

/** Of an address in its plain spelling, or in any. What is no address is of no use either. */
export function kindOfAddress(address: string): AddressKind {
  const plain = plainAddress(address);
  if (plain === null || within(UNUSABLE, plain)) return 'unusable';
  return within(PRIVATE, plain) ? 'private' : 'global';
}

/** The address of an endpoint such as `192.0.2.7:51820` or `[2001:db8::7]:51820`. Null: it is none. */
export function addressOfEndpoint(endpoint: string): string | null {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+)):\d+$/.exec(endpoint) ?? [];
  return plainAddress(bracketed ?? plain ?? '');
}

/** Whether a peer can be there at all: nobody tells peers of other endpoints, and no agent sends anything to them. */
export function isUsableEndpoint(endpoint: string): boolean {
  const address = addressOfEndpoint(endpoint);
  return address !== null && kindOfAddress(address) !== 'unusable';
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

/** Of an address in its plain spelling. */
export function within(block: BlockList, address: string): boolean {
  return block.check(address, typeOf(address));
}

function typeOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
