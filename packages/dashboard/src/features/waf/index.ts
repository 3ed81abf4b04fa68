/**
 * WAF policies inspect requests to ingresses: the list, a policy with its exclusions (`detail/`, `exclusions/`), the form
 * (`edit/`), what was found (`events/`), and the test bench (`bench/`). Start with `policies-page.tsx`.
 */
import { IconShieldCheck } from '@tabler/icons-react';
import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'waf',
  title: 'WAF',
  navigation: { group: 'Mesh', icon: IconShieldCheck },
  permission: 'waf:read',
  pages: [
    { path: '/waf', load: () => import('./policies-page.tsx') },
    { path: '/waf/new', load: () => import('./edit/new-policy-page.tsx') },
    { path: '/waf/events', load: () => import('./events/events-page.tsx') },
    { path: '/waf/events/$id', load: () => import('./events/event-page.tsx') },
    { path: '/waf/test', load: () => import('./bench/bench-page.tsx') },
    { path: '/waf/$id', load: () => import('./policy-page.tsx') },
    { path: '/waf/$id/edit', load: () => import('./edit/edit-policy-page.tsx') },
  ],
  attention: {
    waf_not_in_force: ({ kind, id }) => ({
      page:
        kind === 'ingress'
          ? { to: `/ingress/${id}`, label: 'Open ingress' }
          : { to: `/nodes/${id}`, label: 'Open node' },
    }),
    waf_rule_set_old: ({ id }) => ({ page: { to: `/nodes/${id}`, label: 'Open node' } }),
  },
  events: {
    waf: {
      title: 'WAF events',
      subject: (event) => `WAF policy ${nameIn(event)}`,
      to: ({ type, subject }) => (type === 'waf.deleted' ? '/waf' : `/waf/${subject.id}`),
      happened: {
        'waf.created': 'was created',
        'waf.changed': 'was updated',
        'waf.deleted': 'was deleted',
      },
      stale: ['waf', 'ingress', 'nodes', 'overview'],
    },
  },
  audit: { targets: { waf: (id) => `/waf/${id}` } },
  sections: { waf: 'WAF' },
  settings: {
    waf: {
      title: 'WAF',
      description: 'How long what policies find is kept.',
      fields: {
        events_days: {
          label: 'Keep WAF events for',
          meaning: 'Older ones are removed.',
          kind: 'count',
          unit: 'days',
        },
        events_most: {
          label: 'WAF events at most',
          meaning: 'When there are more, the oldest are removed.',
          kind: 'count',
        },
      },
    },
  },
};
