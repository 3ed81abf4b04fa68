/**
 * Authorities outside of the mesh that issue certificates for ingresses by ACME: the list, the page of one with its accounts and orders, and
 * the form (`edit/`). Orders are shown where their certificates are, too (`mesh/orders.tsx`). They are reached from the list of ingresses.
 */
import { nameIn } from '../../feature/event-words.ts';
import type { Feature, Remedy } from '../../feature/feature.ts';

const orders = (): Remedy => ({ page: { to: '/given-certificates', label: 'Open orders' } });

export const feature: Feature = {
  id: 'outside-authorities',
  title: 'Outside authorities',
  permission: 'outside_authorities:read',
  pages: [
    { path: '/outside-authorities', load: () => import('./authorities-page.tsx') },
    { path: '/outside-authorities/new', load: () => import('./edit/new-authority-page.tsx') },
    { path: '/outside-authorities/$id', load: () => import('./authority-page.tsx') },
    { path: '/outside-authorities/$id/edit', load: () => import('./edit/edit-authority-page.tsx') },
  ],
  attention: { certificate_order_overdue: orders, certificate_order_failing: orders },
  events: {
    outside_authority: {
      title: 'Outside authority events',
      subject: (event) => `Outside authority ${nameIn(event)}`,
      to: ({ type, subject }) =>
        type === 'outside_authority.deleted' ? '/outside-authorities' : `/outside-authorities/${subject.id}`,
      happened: {
        'outside_authority.created': 'was created',
        'outside_authority.changed': 'was updated',
        'outside_authority.registered': 'has an account now',
        'outside_authority.deleted': 'was deleted',
      },
      stale: ['outside_authorities', 'certificate_orders', 'overview'],
    },
    certificate_order: {
      title: 'Certificate order events',
      subject: ({ data }) => `The certificate for ${'hostname' in data ? String(data.hostname) : 'a host name'}`,
      to: () => '/given-certificates',
      happened: {
        'certificate_order.created': ({ authority }) => `is ordered from ${authority}`,
        'certificate_order.issued': ({ authority }) => `was issued by ${authority}`,
        'certificate_order.failed': ({ authority, problem }) => `could not be had from ${authority}: ${problem}`,
        'certificate_order.retried': 'is tried again',
        'certificate_order.deleted': 'is not needed any more',
      },
      stale: ['certificate_orders', 'given_certificates', 'outside_authorities', 'ingress', 'overview'],
    },
  },
  audit: {
    targets: {
      outside_authority: (id) => `/outside-authorities/${id}`,
      certificate_order: () => '/given-certificates',
    },
  },
};
