/** What each role may do, side by side, and custom roles. Start with `roles-page.tsx`. */
import { IconUserShield } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'roles',
  title: 'Roles',
  navigation: { group: 'Organisation', icon: IconUserShield },
  permission: 'roles:read',
  pages: [
    { path: '/roles', load: () => import('./roles-page.tsx') },
    { path: '/roles/new', load: () => import('./new-role-page.tsx') },
    { path: '/roles/$name', load: () => import('./role-page.tsx') },
  ],
  audit: { targets: { role: (id) => `/roles/${id}` } },
};
