/** People who can sign in, their rights and their sessions. Start with `people-page.tsx`. */
import { IconUsers } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'people',
  title: 'People',
  navigation: { group: 'Organisation', icon: IconUsers },
  permission: 'users:read',
  pages: [
    { path: '/people', load: () => import('./people-page.tsx') },
    { path: '/people/sessions', load: () => import('./all-sessions-page.tsx') },
    { path: '/people/$id', load: () => import('./person-page.tsx') },
  ],
  // The coordinator's trail calls a target a person, the panel's a user.
  audit: { targets: { person: (id) => `/people/${id}`, user: (id) => `/people/${id}` } },
};
