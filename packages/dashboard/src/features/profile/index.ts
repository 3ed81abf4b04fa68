/** Your own account: name, appearance, how you sign in, and your sessions. Start with `profile-page.tsx`. */
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'profile',
  title: 'Your account',
  pages: [{ path: '/profile', load: () => import('./profile-page.tsx') }],
};
