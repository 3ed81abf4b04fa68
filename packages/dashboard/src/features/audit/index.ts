/**
 * The audit trail of the coordinator, and the panel's own of sign-ins and people. Start with `audit-page.tsx`; `verify/` checks
 * the chain, `export/` downloads the trail.
 */
import { IconListCheck } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';
import { isLess } from '../../feature/setting-fields.ts';

export const feature: Feature = {
  id: 'audit',
  title: 'Audit',
  navigation: { group: 'Organisation', icon: IconListCheck },
  permission: 'audit:read',
  pages: [
    { path: '/audit', load: () => import('./audit-page.tsx') },
    { path: '/audit/panel', load: () => import('./panel-trail-page.tsx') },
    { path: '/audit/$id', load: () => import('./entry-page.tsx') },
  ],
  settings: {
    audit: {
      title: 'Audit trail',
      description: 'How long entries are kept.',
      fields: {
        retention_days: {
          label: 'Keep audit entries for',
          meaning: 'Older entries are deleted; the chain then starts where they ended.',
          kind: 'count',
          unit: 'days',
          none: 'Forever',
          consequence: (after, before) =>
            isLess(after, before)
              ? 'Older entries are deleted permanently. Export the trail first if you may need them.'
              : null,
        },
      },
    },
  },
  audit: {
    // Of the installation itself, beside what the other features name.
    actions: [
      'answers.forget',
      'audit.trim',
      'installation.create',
      'installation.panel',
      'installation.recover',
      'requests.refused',
    ],
  },
};
