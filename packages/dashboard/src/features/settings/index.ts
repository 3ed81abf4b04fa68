/**
 * What an operator can change while the mesh runs. The other features say which fields they have; `setting-table.ts` puts them
 * together, `draft.ts` keeps unsaved changes. Start with `settings-page.tsx`.
 */
import { IconSettings } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'settings',
  title: 'Settings',
  navigation: { group: 'System', icon: IconSettings },
  permission: 'settings:read',
  pages: [{ path: '/settings', load: () => import('./settings-page.tsx') }],
  events: {
    settings: {
      title: 'Settings events',
      subject: () => 'Settings',
      to: () => '/settings',
      happened: { 'settings.changed': 'were updated' },
      stale: ['settings', 'overview'],
    },
  },
  settings: {
    api: {
      title: 'Rate limits',
      description: 'Per token. A busy token never slows down others.',
      fields: {
        rate_per_s: {
          label: 'Sustained rate',
          meaning: 'Requests per second that one token may send over time. More are refused until it slows down.',
          kind: 'count',
          unit: 'requests/s',
          consequence: (after) =>
            typeof after === 'number' && after < 20
              ? 'The dashboard uses one token per person: with so few requests per second its pages may be refused.'
              : null,
        },
        burst: {
          label: 'Burst',
          meaning: 'Requests that one token may send at once before the sustained rate applies.',
          kind: 'count',
          unit: 'requests',
          consequence: (after) =>
            typeof after === 'number' && after < 50 ? 'A page of the dashboard sends many requests at once.' : null,
        },
      },
    },
  },
  audit: { targets: { settings: () => '/settings' } },
};
