/**
 * Scoped tokens: the list, one token and what it did, and the three things that are done about them: a new one for a purpose
 * (`create/`), a new secret (`rotate/`), the end (`revoke/`). Start with `tokens-page.tsx`.
 */
import { IconKey } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'tokens',
  title: 'Tokens',
  icon: IconKey,
  permission: 'tokens:read',
  pages: [
    { path: '/tokens', load: () => import('./tokens-page.tsx') },
    { path: '/tokens/new', load: () => import('./create/new-token-page.tsx') },
    { path: '/tokens/$id', load: () => import('./token-page.tsx') },
  ],
};
