/** Reads what has been checked before. What cannot be read is then a mistake of ours. */

import { type Network, parseNetwork } from '@meshwork/addresses';
import { type Allow, parseAllow } from '../document/allow.ts';

export function checkedNetwork(text: string): Network {
  const network = parseNetwork(text);
  if (network === undefined) throw new Error(`${text} is no network: the firewall was compiled without being checked.`);
  return network;
}

export function checkedAllow(text: string): Allow {
  const allow = parseAllow(text);
  if (allow === undefined)
    throw new Error(`${text} opens nothing: the firewall was compiled without a checked policy.`);
  return allow;
}
