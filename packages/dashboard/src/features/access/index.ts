/**
 * The policy: who may reach what. `access-page.tsx` is where it is written, `versions-page.tsx` and `version-page.tsx` show its
 * history. `text/` finds places in unfinished text, `editor/` is the editor, `draft/` keeps what was typed.
 */
import { IconShieldLock } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';
import { plural } from '../../ui/plural.ts';

export const feature: Feature = {
  id: 'access',
  title: 'Policy',
  navigation: { group: 'Access', icon: IconShieldLock },
  permission: 'acls:read',
  pages: [
    { path: '/access', load: () => import('./access-page.tsx') },
    { path: '/access/versions', load: () => import('./versions-page.tsx') },
    { path: '/access/versions/$n', load: () => import('./version-page.tsx') },
  ],
  figures: ({ policy }) => {
    if (policy === null) return [];
    const { version, grants, groups, tests } = policy;
    return [
      {
        title: 'Policy',
        value: version === 0 ? 'None' : `Version ${version}`,
        caption:
          version === 0
            ? 'No policy yet'
            : `${plural(grants, 'grant')}, ${plural(groups, 'group')}, ${plural(tests, 'test')}`,
        link: { to: '/access', label: 'Open policy' },
      },
    ];
  },
  attention: { grant_expiring: () => ({ page: { to: '/access', label: 'Open policy' } }) },
  events: {
    policy: {
      title: 'Policy events',
      subject: ({ type, data }) => {
        if (type === 'policy.grant_expired') return `Grant ${String(data.grant)}`;
        return type === 'policy.explain_disagreed'
          ? `${String(data.from)} to ${String(data.to)} on ${String(data.port)}`
          : 'Policy';
      },
      to: ({ type }) => (type === 'policy.explain_disagreed' ? '/reach' : '/access'),
      happened: {
        'policy.changed': ({ version, restored_from }) =>
          restored_from === null
            ? `was updated to version ${version}`
            : `was restored from version ${restored_from} as version ${version}`,
        'policy.explain_disagreed': ({ verdict, reality }) =>
          `was explained as ${verdict}, but ${reality === 'passed' ? 'passed' : 'was blocked'}`,
        'policy.grant_expired': 'expired',
      },
      stale: ['acls', 'nodes', 'peers', 'overview'],
    },
  },
  sections: { acl: 'Grants' },
  audit: { actions: ['policy.lapse'], targets: { policy: () => '/access' } },
};
