import { embedsFour, enclosingNetwork, formatNetwork, parseAddress, parseNetwork } from '@meshwork/addresses';
import type { FieldError } from '@meshwork/contract';

/** Each is a network in its one spelling, so that a list never has the same one twice. */
export function faultsOfNetworks(at: string, networks: readonly string[]): FieldError[] {
  return networks.flatMap((text, index) => {
    const detail = faultOfNetwork(text);
    return detail === undefined ? [] : [{ pointer: `${at}/${index}`, detail }];
  });
}

function faultOfNetwork(text: string): string | undefined {
  const address = parseAddress(text.split('/')[0] ?? '');
  if (address !== undefined && embedsFour(address)) {
    return `"${text}" is an IPv4 network written as IPv6; write it as IPv4`;
  }
  if (parseNetwork(text) !== undefined) return undefined;
  const meant = enclosingNetwork(text);
  if (meant === undefined) return `"${text}" is not a network such as 10.20.0.0/16 or 2001:db8::/32`;
  return `"${text}" has a bit set behind its prefix, or another spelling than the shortest; ${formatNetwork(meant)} would be right`;
}
