import type { Vocabulary } from '../vocabulary-type.ts';

/** Shorter ones are guessed however odd they look (NIST SP 800-63B). */
export const SHORTEST_PASSWORD = 12;

/** Where the panel passes on what is meant for the coordinator: `/v1/nodes` is `/api/v1/coordinator/nodes` there. */
export const COORDINATOR_PREFIX = '/api/v1/coordinator';

/**
 * A page without recent input sends this with its requests: it only refreshes after events, which does not show that a person
 * is present, and so keeps no session open.
 */
export const UNATTENDED_HEADER = 'x-mesh-unattended';

export const panelVocabulary = {
  permissions: {
    'users:read': 'List and read the people who can sign in to the panel, and their sessions.',
    'users:write':
      'Invite, change and remove people whose permissions and scope do not exceed yours, and end their sessions.',
  },
  ids: { user: 'person', session: 'session' },
} as const satisfies Vocabulary;
