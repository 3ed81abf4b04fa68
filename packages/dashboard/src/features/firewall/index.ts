/** Host rules: what the hosts themselves accept, send and forward, in one order. Start with `firewall-page.tsx`. */
import { IconWall } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'firewall',
  title: 'Firewall',
  navigation: { group: 'Access', icon: IconWall },
  permission: 'firewall:read',
  pages: [
    { path: '/firewall', load: () => import('./firewall-page.tsx') },
    { path: '/firewall/nodes/$id', load: () => import('./node-page.tsx') },
  ],
  attention: {
    firewall_finding: ({ id }) => ({ page: { to: '/firewall', search: { rule: id }, label: 'Open rule' } }),
  },
  events: {
    firewall: {
      title: 'Firewall events',
      subject: () => 'Host rules',
      to: () => '/firewall',
      happened: { 'firewall.changed': 'were updated' },
      stale: ['firewall', 'acls', 'overview'],
    },
  },
  sections: { firewall: 'Host rules' },
  audit: { targets: { firewall: () => '/firewall' } },
};
