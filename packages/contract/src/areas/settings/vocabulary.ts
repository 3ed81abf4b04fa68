import type { Vocabulary } from '../../vocabulary-type.ts';

export const settingsVocabulary = {
  permissions: {
    'settings:read': 'Read the settings of the mesh.',
    'settings:write': 'Change the settings of the mesh.',
  },
} as const satisfies Vocabulary;
