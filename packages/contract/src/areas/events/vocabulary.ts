import type { Vocabulary } from '../../vocabulary-type.ts';

export const eventVocabulary = {
  permissions: {
    'events:read': 'Follow the stream of events inside the own scope.',
  },
  ids: { event: 'event' },
} as const satisfies Vocabulary;
