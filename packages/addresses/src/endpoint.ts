import { familyOf, plainAddress } from './address.ts';
import { kindOfAddress } from './address-kind.ts';

/** The address of an endpoint such as `192.0.2.7:51820` or `[2001:db8::7]:51820`. Null: it is none. */
export function addressOfEndpoint(endpoint: string): string | null {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+)):\d+$/.exec(endpoint) ?? [];
  return plainAddress(bracketed ?? plain ?? '');
}

/** The port of `192.0.2.7:51820` or `[2001:db8::7]:51820`. Null: it has none. */
export function portOfEndpoint(endpoint: string): number | null {
  const port = /:(\d{1,5})$/.exec(endpoint)?.[1];
  return port === undefined || addressOfEndpoint(endpoint) === null ? null : Number(port);
}

/** Whether a peer can be there at all. Other endpoints are neither passed on to peers nor sent to. */
export function isUsableEndpoint(endpoint: string): boolean {
  const address = addressOfEndpoint(endpoint);
  return address !== null && kindOfAddress(address) !== 'unusable';
}

/** As the contract spells an endpoint. */
export function endpointOf(address: string, port: number): string {
  return familyOf(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
