import type { IngressAssignment } from '@meshwork/contract';
import { GATEWAY_HEADERS } from '@meshwork/contract/vocabulary';
import { type Directive, directive } from './nginx-text.ts';

/** nginx reads all lines of this one, and only if it is spelled so. Of any other it reads the first line. */
const FORWARDED_FOR = 'X-Forwarded-For';

/**
 * Whose word on the address of the client counts. From then on everything in nginx goes by that address. Proxies are passed by from
 * the end of the list: the first address that is not one of them is the client, whatever it claims before that.
 */
export function trustedProxies({ proxies }: IngressAssignment): readonly Directive[] {
  if (proxies === null || proxies.networks.length === 0 || !saysAddress(proxies.header)) return [];
  const isUsual = proxies.header.toLowerCase() === FORWARDED_FOR.toLowerCase();
  return [
    ...proxies.networks.map((network) => directive('set_real_ip_from', network)),
    directive('real_ip_header', isUsual ? FORWARDED_FOR : proxies.header),
    directive('real_ip_recursive', 'on'),
  ];
}

/** Not `Host`, and none that gateways make themselves: what is in these is no address, and they go on to say what they say. */
export function saysAddress(header: string): boolean {
  const name = header.toLowerCase();
  if (name === FORWARDED_FOR.toLowerCase() || name === 'x-real-ip') return true;
  return name !== 'host' && !GATEWAY_HEADERS.some((one) => one === name);
}
