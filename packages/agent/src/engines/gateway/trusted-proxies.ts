import type { IngressAssignment } from '@meshwork/contract';
import { saysClientAddress } from '@meshwork/contract/vocabulary';
import { type Directive, directive } from './nginx-text.ts';

/** nginx reads all lines of this one, and only if it is spelled so. Of any other it reads the first line. */
const FORWARDED_FOR = 'X-Forwarded-For';

/**
 * Whose word on the address of the client counts. From then on everything in nginx goes by that address. Proxies are passed by from
 * the end of the list: the first address that is not one of them is the client, whatever it claims before that.
 */
export function trustedProxies({ proxies }: IngressAssignment): readonly Directive[] {
  if (proxies === null || proxies.networks.length === 0 || !saysClientAddress(proxies.header)) return [];
  const isUsual = proxies.header.toLowerCase() === FORWARDED_FOR.toLowerCase();
  return [
    ...proxies.networks.map((network) => directive('set_real_ip_from', network)),
    directive('real_ip_header', isUsual ? FORWARDED_FOR : proxies.header),
    directive('real_ip_recursive', 'on'),
  ];
}
