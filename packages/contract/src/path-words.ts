/** Words for how packets go between two nodes, and what stands in their way. */

/** How the host's network treats the port of WireGuard, as relays see it. */
export const NAT_MAPPINGS = ['none', 'endpoint-independent', 'address-dependent', 'udp-blocked'] as const;
export type NatMapping = (typeof NAT_MAPPINGS)[number];

export const LINK_PATHS = ['direct', 'relay', 'idle', 'none'] as const;
export type LinkPath = (typeof LINK_PATHS)[number];

/** What became of an endpoint of a peer that was tried. */
export const TRIED_OUTCOMES = ['answered', 'silent', 'unreachable'] as const;

/** What a node keeps on a relay for: what it receives by, and what it goes on by when that one is lost. */
export const RELAY_USES = ['home', 'standby'] as const;

/** Of the sentence that says why a link goes as it goes. */
export const MAX_WHY_LENGTH = 300;
