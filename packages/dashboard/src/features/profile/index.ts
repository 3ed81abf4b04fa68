/** The own account: name, appearance, how one signs in, and where one is signed in. Start with `profile-page.tsx`. */
import { IconUserCircle } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'profile',
  title: 'Your account',
  icon: IconUserCircle,
  pages: [{ path: '/profile', load: () => import('./profile-page.tsx') }],
};
