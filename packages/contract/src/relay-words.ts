/** What heartbeats and the records of relays say in the same words. */

/** How a node speaks with a relay, best first. */
export const RELAY_TRANSPORTS = ['udp', 'tcp', 'tls'] as const;
export type RelayTransport = (typeof RELAY_TRANSPORTS)[number];

/** Whose certificate a relay shows over TLS. */
export const RELAY_CERTIFICATES = ['mesh', 'public'] as const;

/** Of what a node says that is wrong with a relay. */
export const MAX_PROBLEM_LENGTH = 200;
