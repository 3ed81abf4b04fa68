/** How the mesh is at a glance, and what needs a person. Start with `overview-page.tsx`. */
import { IconLayoutDashboard } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'overview',
  title: 'Overview',
  icon: IconLayoutDashboard,
  permission: 'nodes:read',
  pages: [{ path: '/', load: () => import('./overview-page.tsx') }],
};
