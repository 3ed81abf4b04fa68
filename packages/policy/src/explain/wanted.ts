import { type Allow, formatAllow, includes, parseAllow } from '../document/allow.ts';

/** The flow that a question asks about. */
export interface Wanted {
  readonly protocol: 'icmp' | 'tcp' | 'udp';
  /** 0 for `icmp`, which has no ports. */
  readonly port: number;
}

export const PING: Wanted = Object.freeze({ protocol: 'icmp', port: 0 });

/** `tcp:22`, `udp:53` or `icmp`. Undefined: it is none of them, or more than one port. */
export function parseWanted(text: string): Wanted | undefined {
  const allow = parseAllow(text);
  if (allow === undefined || allow.protocol === 'any' || allow.from !== allow.to) return undefined;
  return { protocol: allow.protocol, port: allow.from };
}

export function formatWanted(wanted: Wanted): string {
  return formatAllow(asAllow(wanted));
}

export function opens(allows: readonly Allow[], wanted: Wanted): boolean {
  const inner = asAllow(wanted);
  return allows.some((allow) => includes(allow, inner));
}

function asAllow({ protocol, port }: Wanted): Allow {
  return { protocol, from: port, to: port };
}
