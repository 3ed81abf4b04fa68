import { defineArea } from '../../area.ts';
import { peerOperations } from './links.ts';
import { peerGraphOperations } from './peer-graph.ts';
import { peerVocabulary } from './vocabulary.ts';

export * from './links.ts';
export * from './peer-graph.ts';

export const peersArea = defineArea({
  name: 'peers',
  title: 'Peers',
  description: 'The links between nodes, as both ends see them.',
  ...peerVocabulary,
  operations: { ...peerOperations, ...peerGraphOperations },
});
