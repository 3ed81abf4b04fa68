/** As much of IPv4 as a plan of addresses needs. */
interface Ipv4Network {
  readonly first: number;
  readonly prefix: number;
}

/** Undefined: it is no network, or has a bit set behind its prefix. */
export function network(cidr: string): Ipv4Network | undefined {
  const [, address = '', length = ''] = /^([\d.]+)\/(\d{1,2})$/.exec(cidr) ?? [];
  const first = numberOf(address);
  const prefix = Number(length);
  if (length === '' || first === undefined || prefix > 32 || first % size(prefix) !== 0) return undefined;
  return { first, prefix };
}

/** The address with this number in a network that is known to be one. */
export function nth(cidr: string, number: number): string {
  const address = known(cidr).first + number;
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.');
}

export function overlap(one: string, other: string): boolean {
  const [a, b] = [known(one), known(other)];
  return a.first < b.first + size(b.prefix) && b.first < a.first + size(a.prefix);
}

export function contains(cidr: string, address: string): boolean {
  return overlap(cidr, `${address}/32`);
}

function size(prefix: number): number {
  return 2 ** (32 - prefix);
}

function known(cidr: string): Ipv4Network {
  const parsed = network(cidr);
  if (parsed === undefined) throw new Error(`${cidr} is no IPv4 network`);
  return parsed;
}

function numberOf(address: string): number | undefined {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255))
    return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}
