import type { Vocabulary } from '../../vocabulary-type.ts';

export const MAX_GRAPH_NODES = 2000;

export const peerVocabulary = {
  permissions: {
    'peers:read': 'See the links between nodes, from both sides.',
  },
} as const satisfies Vocabulary;
