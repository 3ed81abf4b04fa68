/**
 * The policy: who may reach what. `access-page.tsx` is where it is written, `versions-page.tsx` and `version-page.tsx` what it
 * was before. `text/` finds places in a text that is not finished, `editor/` is the editor, `draft/` keeps what was typed.
 */
import { IconShieldLock } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'access',
  title: 'Policy',
  icon: IconShieldLock,
  permission: 'acls:read',
  pages: [
    { path: '/access', load: () => import('./access-page.tsx') },
    { path: '/access/versions', load: () => import('./versions-page.tsx') },
    { path: '/access/versions/$n', load: () => import('./version-page.tsx') },
  ],
};
