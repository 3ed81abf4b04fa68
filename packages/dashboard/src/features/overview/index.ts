/** The state of the mesh at a glance, and what needs attention. Start with `overview-page.tsx`. */
import { IconLayoutDashboard } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'overview',
  title: 'Overview',
  navigation: { group: 'Mesh', icon: IconLayoutDashboard },
  permission: 'nodes:read',
  pages: [{ path: '/', load: () => import('./overview-page.tsx') }],
};
