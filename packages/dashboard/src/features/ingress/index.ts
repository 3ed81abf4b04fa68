/**
 * Ingresses let people outside reach services of the mesh, through gateway nodes: the list, the page of one with what its
 * gateways find (`detail/`), and the form (`edit/`). Start with `ingresses-page.tsx`, then `ingress-page.tsx`.
 */

import { IconWorld } from '@tabler/icons-react';
import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';
import { plural } from '../../ui/plural.ts';

export const feature: Feature = {
  id: 'ingress',
  title: 'Ingress',
  navigation: { group: 'Mesh', icon: IconWorld },
  permission: 'ingress:read',
  pages: [
    { path: '/ingress', load: () => import('./ingresses-page.tsx') },
    { path: '/ingress/new', load: () => import('./edit/new-ingress-page.tsx') },
    { path: '/ingress/$id', load: () => import('./ingress-page.tsx') },
    { path: '/ingress/$id/edit', load: () => import('./edit/edit-ingress-page.tsx') },
  ],
  figures: ({ ingress }) => {
    if (ingress === null || ingress.total === 0) return [];
    const { total, served } = ingress;
    return [
      {
        title: 'Ingresses',
        value: `${served} of ${total}`,
        caption: 'served by a gateway',
        link: { to: '/ingress', label: 'View ingresses' },
        isTroubled: served < total,
      },
    ];
  },
  attention: {
    ingress_unserved: ({ id }) => ({ page: { to: `/ingress/${id}`, label: 'Open ingress' } }),
    ingress_drain_stuck: ({ id }) => ({ page: { to: `/ingress/${id}`, label: 'Open ingress' } }),
    ingress_without_targets: ({ id }) => ({ page: { to: `/ingress/${id}`, label: 'Open ingress' } }),
  },
  events: {
    ingress: {
      title: 'Ingress events',
      subject: (event) => `Ingress ${nameIn(event)}`,
      to: ({ type, subject }) => (type === 'ingress.deleted' ? '/ingress' : `/ingress/${subject.id}`),
      happened: {
        'ingress.created': 'was created',
        'ingress.changed': 'was updated',
        'ingress.deleted': 'was deleted',
        'ingress.drained': ({ cut }) =>
          cut === 0 ? 'is drained' : `is drained at the deadline: ${plural(cut, 'connection')} cut`,
        'ingress.placed': ({ gateways }) =>
          gateways.length === 0 ? 'has no gateway' : `is served by ${gateways.join(', ')}`,
      },
      stale: ['ingress', 'nodes', 'overview'],
    },
  },
  audit: { targets: { ingress: (id) => `/ingress/${id}` } },
  sections: { ingress: 'Ingresses' },
};
