/** How addresses are spelled and told apart here. What they can be used for is the contract's to say. */
export {
  isUsableEndpoint,
  kindOfAddress as kindOf,
  networks,
  plainAddress,
  within,
} from '@meshwork/contract/addresses';

export function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}

/** As the contract spells an endpoint. */
export function endpointOf(address: string, port: number): string {
  return familyOf(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
