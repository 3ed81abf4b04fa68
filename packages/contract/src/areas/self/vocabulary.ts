import type { Vocabulary } from '../../vocabulary-type.ts';

export const selfVocabulary = {
  permissions: {
    'self:read': 'See who one is and what one may do. Every valid credential has it.',
  },
} as const satisfies Vocabulary;
