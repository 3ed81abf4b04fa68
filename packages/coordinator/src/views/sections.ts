/** The sections that are sent whole whenever they change. */
export const WHOLE_SECTIONS = ['self', 'firewall', 'relay', 'ingress', 'relays', 'commands'] as const;
export type WholeSection = (typeof WHOLE_SECTIONS)[number];

/** The sections that are about peers, one by one. */
export const PEER_SECTIONS = ['peers', 'acl'] as const;
export type PeerSection = (typeof PEER_SECTIONS)[number];
