import { addressOfEndpoint, endpointOf, portOfEndpoint } from '@meshwork/addresses';
import type { Place } from './xor-address.ts';

/** Undefined: it is no endpoint. */
export function placeOf(endpoint: string): Place | undefined {
  const [address, port] = [addressOfEndpoint(endpoint), portOfEndpoint(endpoint)];
  return address === null || port === null || port < 1 || port > 65_535 ? undefined : { address, port };
}

export function textOf({ address, port }: Place): string {
  return endpointOf(address, port);
}
