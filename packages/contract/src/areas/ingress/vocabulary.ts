import type { Vocabulary } from '../../vocabulary-type.ts';

export const ingressVocabulary = {
  permissions: {
    'ingress:read': 'List and read ingresses.',
    'ingress:write': 'Create, change, drain and delete ingresses.',
  },
  ids: { ingress: 'ingress' },
} as const satisfies Vocabulary;

/** Ours. An `Upstream`, for programs that load no schemas. */
export const DEFAULT_UPSTREAM = {
  protocol: 'http' as const,
  balance: 'round_robin',
  weights: [] as [],
  canary: null,
  check: {
    kind: 'tcp' as const,
    path: '/',
    status: '200-399',
    body: null,
    interval_s: 5,
    timeout_s: 2,
    rise: 2,
    fall: 3,
  },
};
