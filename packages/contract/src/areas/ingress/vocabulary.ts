import type { Vocabulary } from '../../vocabulary-type.ts';

export const ingressVocabulary = {
  permissions: {
    'ingress:read': 'List and read ingresses.',
    'ingress:write': 'Create, change, drain and delete ingresses.',
  },
  ids: { ingress: 'ingress' },
} as const satisfies Vocabulary;
