import { type Address, formatAddress, type Network, plainAddress } from '@meshwork/addresses';

const FOUR = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.in-addr\.arpa$/;
const SIX = /^((?:[0-9a-f]\.){32})ip6\.arpa$/;
/** Ours: a network that needs more zones than this is left to others. */
const MAX_ZONES = 128;

/** The address that a name of `in-addr.arpa` or `ip6.arpa` stands for, in its shortest spelling. Undefined: for none. */
export function addressOfReverse(name: string): string | undefined {
  const [, ...four] = FOUR.exec(name) ?? [];
  if (four.length === 4) return plainAddress(four.toReversed().join('.')) ?? undefined;
  const [, six] = SIX.exec(name) ?? [];
  if (six === undefined) return undefined;
  const digits = six.split('.').toReversed().join('');
  return plainAddress((digits.match(/.{4}/g) ?? []).join(':')) ?? undefined;
}

/** The zones that a network is made of, such as `64.100.in-addr.arpa`, for a resolver that is to ask for them here. */
export function reverseZones(network: Network): readonly string[] {
  const [bits, width] = network.family === 4 ? [8, 32] : [4, 128];
  const labels = Math.ceil(network.prefix / bits);
  const count = 2 ** (labels * bits - network.prefix);
  if (labels === 0 || count > MAX_ZONES) return [];
  const step = 1n << BigInt(width - labels * bits);
  return Array.from({ length: count }, (_, index) =>
    zoneOf({ family: network.family, value: network.base + BigInt(index) * step }, labels),
  );
}

function zoneOf(address: Address, labels: number): string {
  if (address.family === 4) {
    return `${formatAddress(address).split('.').slice(0, labels).toReversed().join('.')}.in-addr.arpa`;
  }
  const digits = address.value.toString(16).padStart(32, '0').slice(0, labels);
  return `${[...digits].toReversed().join('.')}.ip6.arpa`;
}
