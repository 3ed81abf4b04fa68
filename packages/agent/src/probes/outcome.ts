import type { ProbeFlow, ProbeResult } from '@meshwork/contract';

export interface Attempt {
  readonly id: string;
  readonly flow: ProbeFlow;
  readonly within_ms: number;
}

/** How an attempt ended. */
export type Outcome = Omit<NonNullable<ProbeResult['attempt']>, 'took_ms'>;

const OUTCOMES: Readonly<Record<string, Outcome['outcome']>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  ETIMEDOUT: 'timed_out',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  ENOKEY: 'unreachable', // the kernel's WireGuard has no peer for the address
  EDESTADDRREQ: 'unreachable', // nor a place for the peer
  EACCES: 'unreachable', // answered that it is prohibited
  EPERM: 'unreachable', // this host's own packet filter
};

/** What an error of the system says about a flow. Undefined: nothing, the attempt itself could not be made. */
export function outcomeOf({ code, message }: NodeJS.ErrnoException): Outcome | undefined {
  const outcome = code === undefined ? undefined : OUTCOMES[code];
  return outcome === undefined ? undefined : { outcome, detail: message.slice(0, 200) };
}
