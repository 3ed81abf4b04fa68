/** "Why can't A reach B?": one question, and every step of the answer. Start with `reach-page.tsx`. */
import { IconRoute } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'reach',
  title: 'Reach',
  navigation: { group: 'Mesh', icon: IconRoute },
  permission: 'acls:read',
  pages: [{ path: '/reach', load: () => import('./reach-page.tsx') }],
};
