import type { Vocabulary } from '../../vocabulary-type.ts';

export const selfVocabulary = {
  permissions: {
    'self:read': 'See who you are and what you may do. Every valid credential has it.',
  },
} as const satisfies Vocabulary;
