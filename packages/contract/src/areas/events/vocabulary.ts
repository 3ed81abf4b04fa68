import type { Vocabulary } from '../../vocabulary-type.ts';

export const eventVocabulary = {
  permissions: {
    'events:read': 'Follow the event stream within your scope.',
  },
  ids: { event: 'event' },
} as const satisfies Vocabulary;
