/** What the bench needs to measure paths with. */
export { MeshOfSites } from './mesh-of-sites.ts';
export { RelayedSites } from './relayed-sites.ts';
export { tryPair } from './try-pair.ts';
