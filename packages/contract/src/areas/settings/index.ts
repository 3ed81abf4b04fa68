import { defineArea } from '../../area.ts';
import { NoData } from '../../event-data.ts';
import { defineOperations } from '../../operation.ts';
import { DEFAULT_SETTINGS } from './default-settings.ts';
import { Settings, SettingsPatch } from './settings-record.ts';
import { settingsVocabulary } from './vocabulary.ts';

export * from './settings-record.ts';

const settingsOperations = defineOperations({
  'settings.show': {
    method: 'GET',
    path: '/v1/settings',
    summary: 'Show the settings of the mesh',
    permission: 'settings:read',
    reach: 'mesh',
    versioned: true,
    answer: { status: 200, description: 'The settings.', schema: Settings },
    errors: [],
    example: { answer: DEFAULT_SETTINGS },
  },
  'settings.update': {
    method: 'PATCH',
    path: '/v1/settings',
    summary: 'Change settings of the mesh',
    description: 'A JSON merge patch: name only what changes.',
    permission: 'settings:write',
    reach: 'mesh',
    confirmed: true,
    body: SettingsPatch,
    versioned: true,
    answer: { status: 200, description: 'The settings as they are now.', schema: Settings },
    errors: [],
    example: {
      body: { tokens: { max_lifetime_days: 90 } },
      answer: { ...DEFAULT_SETTINGS, tokens: { ...DEFAULT_SETTINGS.tokens, max_lifetime_days: 90 } },
    },
  },
});

export const settingsArea = defineArea({
  name: 'settings',
  title: 'Settings',
  description: 'What operators tune while the mesh runs.',
  ...settingsVocabulary,
  operations: settingsOperations,
  events: {
    'settings.changed': { summary: 'The settings were changed', data: NoData },
  },
});
