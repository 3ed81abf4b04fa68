import { lookup } from 'node:dns/promises';
import { addAbortListener } from 'node:events';
import { kindOfAddress } from '@meshwork/addresses';

export interface NamedHost {
  /** A host name or an address. */
  readonly host: string;
  /** The operator allows addresses that no peer can have. */
  readonly any_address?: boolean | undefined;
}

interface HostAddresses {
  readonly usable: readonly string[];
  /** Loopback, link-local, multicast and metadata addresses: no other host is meant by them. */
  readonly refused: readonly string[];
}

/**
 * Where a host is that the coordinator names. It is looked at here and not before: a name may resolve to something else every
 * time. Rejects when it resolves to nothing.
 */
export async function usableAddresses(
  { host, any_address }: NamedHost,
  signal?: AbortSignal | undefined,
): Promise<HostAddresses> {
  const found = (await look(host, signal)).map(({ address }) => address);
  const isUsable = (address: string) => any_address === true || kindOfAddress(address) !== 'unusable';
  return { usable: found.filter(isUsable), refused: found.filter((address) => !isUsable(address)) };
}

/** The system call cannot be cancelled: after an abort its result is ignored. */
async function look(host: string, signal: AbortSignal | undefined) {
  const found = lookup(host, { all: true });
  if (signal === undefined) return await found;
  const stopped = Promise.withResolvers<never>();
  using _abort = addAbortListener(signal, () => stopped.reject(signal.reason));
  return await Promise.race([found, stopped.promise]);
}
