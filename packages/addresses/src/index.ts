/**
 * IP addresses, networks and endpoints: how they are read, spelled and compared, and what an address can be used for. The
 * whole product uses these functions, in a browser too, so that two programs never disagree about an address.
 */
export {
  type Address,
  embedsFour,
  FAMILIES,
  type Family,
  familyOf,
  formatAddress,
  groupsOf,
  parseAddress,
  plainAddress,
} from './address.ts';
export { isTranslated, kindOfAddress } from './address-kind.ts';
export { addressOfEndpoint, endpointOf, isUsableEndpoint, portOfEndpoint } from './endpoint.ts';
export {
  anyContains,
  containsAddress,
  DEFAULT_ROUTE,
  encloses,
  enclosingNetwork,
  exactNetwork,
  formatNetwork,
  holds,
  hostsIn,
  intersect,
  isDefaultRoute,
  isSingleAddress,
  type Network,
  nthAddress,
  overlaps,
  parseNetwork,
  readNetwork,
  sizeOf,
} from './network.ts';
