import { isIPv4, isIPv6 } from 'node:net';
import type { ProbeFlow } from '@meshwork/contract';

/** The family of both addresses. Throws where they are none, or of different families: they become part of commands. */
export function familyOf({ from, to }: Pick<ProbeFlow, 'from' | 'to'>): 4 | 6 {
  if (isIPv4(from) && isIPv4(to)) return 4;
  if ([from, to].every((address) => isIPv6(address) && !address.includes('%'))) return 6;
  throw new Error('the addresses of a flow have to be two IPv4 or two IPv6 addresses');
}

/** For the log. */
export function flowText({ from, to, protocol, port }: ProbeFlow): string {
  return protocol === 'icmp' ? `icmp from ${from} to ${to}` : `${protocol} from ${from} to ${to} port ${port}`;
}
