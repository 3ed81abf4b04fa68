/**
 * What an operator can tune while the mesh runs. `setting-table.ts` says of each setting what it means; `draft.ts` keeps what was
 * changed and not saved. Start with `settings-page.tsx`.
 */
import { IconSettings } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'settings',
  title: 'Settings',
  icon: IconSettings,
  permission: 'settings:read',
  pages: [{ path: '/settings', load: () => import('./settings-page.tsx') }],
};
