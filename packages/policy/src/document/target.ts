import { formatAddress, parseAddress } from '@meshwork/addresses';
import { parsePort } from './allow.ts';
import { isGroupName, isNodeName } from './selector.ts';

/** Whom and what a test of the policy asks about. */
export interface Target {
  readonly kind: 'node' | 'group' | 'address';
  /** Name of the node or the group, or the address in its canonical spelling. */
  readonly name: string;
  readonly protocol: 'icmp' | 'tcp' | 'udp';
  /** 0 for `icmp`, which has no ports. */
  readonly port: number;
}

/** `git-1:tcp:22`, `group:git-servers:tcp:22`, `10.20.1.1:udp:53`, `[fd00::1]:icmp`. Undefined: it is none of them. */
export function parseTarget(text: string): Target | undefined {
  // From the end, because a node may be called `group` or `tcp`.
  const [, whom = '', what = ''] = /^(.{1,100}?):(icmp|(?:tcp|udp):\d{1,5})$/s.exec(text) ?? [];
  const [protocol, digits] = what.split(':');
  const port = digits === undefined ? 0 : parsePort(digits);
  const named = parseWhom(whom);
  if (named === undefined || port === undefined) return undefined;
  return protocol === 'icmp' || protocol === 'tcp' || protocol === 'udp' ? { ...named, protocol, port } : undefined;
}

function parseWhom(text: string): Pick<Target, 'kind' | 'name'> | undefined {
  if (isNodeName(text)) return { kind: 'node', name: text };
  const group = text.startsWith('group:') ? text.slice('group:'.length) : '';
  if (isGroupName(group)) return { kind: 'group', name: group };
  const bracketed = /^\[(.*)\]$/s.exec(text)?.[1];
  const address = parseAddress(bracketed ?? text);
  if (address === undefined || (address.family === 6) !== (bracketed !== undefined)) return undefined;
  return { kind: 'address', name: formatAddress(address) };
}
