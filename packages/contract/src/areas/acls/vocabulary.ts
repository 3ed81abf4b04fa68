import type { Vocabulary } from '../../vocabulary-type.ts';

/** JSON with comments has no registered media type; this is the name in common use. */
export const JSONC_TYPE = 'application/jsonc';

export const aclVocabulary = {
  permissions: {
    'acls:read': 'Read the policy and its versions, validate and preview changes, and explain access.',
    'acls:probe': 'Have nodes make a real attempt to reach each other, to compare it with the explanation.',
    'acls:write': 'Replace the policy or restore an earlier version.',
  },
} as const satisfies Vocabulary;
