import type { Vocabulary } from '../../vocabulary-type.ts';

/** What actions look like; which there are depends on the version that wrote the entry. */
export const ACTION_PATTERN = '^[a-z_]+(?:\\.[a-z_]+)+$';

export const auditVocabulary = {
  permissions: {
    'audit:read': 'Read and export the audit trail within your scope.',
    'audit:verify': 'Check the hash chain of the whole audit trail.',
  },
  ids: { audit: 'audit entry' },
} as const satisfies Vocabulary;
