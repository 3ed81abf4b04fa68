import type { Vocabulary } from '../../vocabulary-type.ts';

export const relayVocabulary = {
  permissions: {
    'relays:read': 'List and read relays.',
    'relays:write': 'Create, change, drain and delete relays.',
  },
} as const satisfies Vocabulary;
