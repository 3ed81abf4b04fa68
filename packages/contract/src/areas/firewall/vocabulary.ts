import type { Vocabulary } from '../../vocabulary-type.ts';

export const firewallVocabulary = {
  permissions: {
    'firewall:read': 'Read and preview host firewall rules.',
    'firewall:write': 'Create, change, order and delete host firewall rules.',
  },
  ids: { firewall: 'firewall rule' },
} as const satisfies Vocabulary;
