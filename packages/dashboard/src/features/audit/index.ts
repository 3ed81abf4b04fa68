/**
 * Who did what: the coordinator's trail, and the panel's own of who signed in. Start with `audit-page.tsx`; `verify/` has the
 * chain checked, `export/` takes the trail along.
 */
import { IconListCheck } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'audit',
  title: 'Audit',
  icon: IconListCheck,
  permission: 'audit:read',
  pages: [
    { path: '/audit', load: () => import('./audit-page.tsx') },
    { path: '/audit/panel', load: () => import('./panel-trail-page.tsx') },
    { path: '/audit/$id', load: () => import('./entry-page.tsx') },
  ],
};
