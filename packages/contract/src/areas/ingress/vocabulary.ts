import type { Vocabulary } from '../../vocabulary-type.ts';
import type { Upstream } from './upstream.ts';

export const ingressVocabulary = {
  permissions: {
    'ingress:read': 'List and read ingresses.',
    'ingress:write': 'Create, change, drain and delete ingresses.',
  },
  ids: { ingress: 'ingress' },
} as const satisfies Vocabulary;

/** Ours. */
export const DEFAULT_UPSTREAM: Upstream = {
  protocol: 'http',
  balance: 'round_robin',
  weights: [],
  canary: null,
  check: {
    kind: 'tcp',
    path: '/',
    status: '200-399',
    body: null,
    interval_s: 5,
    timeout_s: 2,
    rise: 2,
    fall: 3,
  },
};
