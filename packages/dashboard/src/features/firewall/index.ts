/** Host rules: what the hosts themselves let in, send out and pass on, in one order. Start with `firewall-page.tsx`. */
import { IconWall } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'firewall',
  title: 'Firewall',
  icon: IconWall,
  permission: 'firewall:read',
  pages: [
    { path: '/firewall', load: () => import('./firewall-page.tsx') },
    { path: '/firewall/nodes/$id', load: () => import('./node-page.tsx') },
  ],
};
