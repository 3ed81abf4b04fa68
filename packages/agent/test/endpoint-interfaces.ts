import { isIPv6 } from 'node:net';
import type { Interfaces } from '../src/endpoints/local-addresses.ts';

/** As Node tells of a host with these addresses by interface. */
export function interfaces(addresses: Readonly<Record<string, readonly string[]>>): Interfaces {
  const entries = Object.entries(addresses).map(([name, list]) => [name, list.map((one) => infoOf(name, one))]);
  return Object.fromEntries(entries);
}

function infoOf(name: string, address: string) {
  const rest = { address, netmask: '', mac: '02:00:00:00:00:01', internal: name === 'lo', cidr: null };
  return isIPv6(address) ? { ...rest, family: 'IPv6', scopeid: 0 } : { ...rest, family: 'IPv4' };
}
