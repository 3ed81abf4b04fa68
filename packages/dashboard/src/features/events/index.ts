/** What happens, as it happens. Start with `events-page.tsx`. */
import { IconActivity } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'events',
  title: 'Events',
  icon: IconActivity,
  permission: 'events:read',
  pages: [{ path: '/events', load: () => import('./events-page.tsx') }],
};
