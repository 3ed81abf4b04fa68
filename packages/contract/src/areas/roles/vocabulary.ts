import type { Vocabulary } from '../../vocabulary-type.ts';

export const ROLE_NAME_PATTERN = '^[a-z][a-z0-9-]{0,62}$';

export const roleVocabulary = {
  permissions: {
    'roles:read': 'List and read roles.',
    'roles:write': 'Create, change and delete custom roles. They cannot have permissions that you lack.',
  },
} as const satisfies Vocabulary;
