/** The live stream of events. Start with `events-page.tsx`. */
import { IconActivity } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'events',
  title: 'Events',
  navigation: { group: 'System', icon: IconActivity },
  permission: 'events:read',
  pages: [{ path: '/events', load: () => import('./events-page.tsx') }],
  settings: {
    events: {
      title: 'Events',
      description: 'The event stream.',
      fields: {
        retention_days: {
          label: 'Keep events for',
          meaning: 'How far back clients can catch up on missed events.',
          kind: 'count',
          unit: 'days',
        },
      },
    },
  },
};
