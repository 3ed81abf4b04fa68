import type { Vocabulary } from '../../vocabulary-type.ts';

export const metaVocabulary = {
  permissions: {
    'metrics:read': 'Scrape the metrics of the coordinator.',
  },
} as const satisfies Vocabulary;
