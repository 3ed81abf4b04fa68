import type { Vocabulary } from '../../vocabulary-type.ts';

export * from '../../relay-words.ts';

export const relayVocabulary = {
  permissions: {
    'relays:read': 'List and read relays.',
    'relays:write': 'Create, change, drain and delete relays.',
  },
} as const satisfies Vocabulary;

/** TURN's own. */
export const DEFAULT_RELAY_PORT = 3478;
/** Where networks that block everything else let TLS through. */
export const DEFAULT_RELAY_TLS_PORT = 443;
export const DEFAULT_RELAY_CAPACITY = 500;
/** How long the credentials of a node for a relay are good. They are turned over in their second half. */
export const RELAY_CREDENTIAL_S = 3600;
/** Relays beside its own that a node proves at most. In a mesh with more, nodes prove different ones. */
export const MAX_PROVEN_RELAYS = 4;

export const RELAY_KINDS = ['node', 'external'] as const;
