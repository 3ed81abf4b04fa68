/** Who can sign in, what they may do, and where they are signed in. Start with `people-page.tsx`. */
import { IconUsers } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'people',
  title: 'People',
  icon: IconUsers,
  permission: 'users:read',
  pages: [
    { path: '/people', load: () => import('./people-page.tsx') },
    { path: '/people/sessions', load: () => import('./all-sessions-page.tsx') },
    { path: '/people/$id', load: () => import('./person-page.tsx') },
  ],
};
