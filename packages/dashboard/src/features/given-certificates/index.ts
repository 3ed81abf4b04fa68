/**
 * Certificates that operators bring for ingresses: the list, the page of one with what its gateways show, and the form that brings one or
 * puts a renewed one in its place (`bring/`). They are reached from the list of ingresses.
 */
import { nameIn } from '../../feature/event-words.ts';
import type { Feature, Remedy } from '../../feature/feature.ts';

const open = ({ id }: { readonly id: string }): Remedy => ({
  page: { to: `/given-certificates/${id}`, label: 'Open certificate' },
});

export const feature: Feature = {
  id: 'given-certificates',
  title: 'Given certificates',
  permission: 'given_certificates:read',
  pages: [
    { path: '/given-certificates', load: () => import('./certificates-page.tsx') },
    { path: '/given-certificates/new', load: () => import('./bring/new-certificate-page.tsx') },
    { path: '/given-certificates/$id', load: () => import('./certificate-page.tsx') },
    { path: '/given-certificates/$id/replace', load: () => import('./bring/replace-page.tsx') },
  ],
  attention: {
    given_certificate_expired: open,
    given_certificate_expiring: open,
    given_certificate_unfit: ({ id }) => ({ page: { to: `/ingress/${id}`, label: 'Open ingress' } }),
  },
  events: {
    given_certificate: {
      title: 'Given certificate events',
      subject: (event) => `Certificate ${nameIn(event)}`,
      to: ({ type, subject }) =>
        type === 'given_certificate.deleted' ? '/given-certificates' : `/given-certificates/${subject.id}`,
      happened: {
        'given_certificate.created': 'was brought for ingresses',
        'given_certificate.replaced': 'was replaced',
        'given_certificate.deleted': 'was deleted',
      },
      stale: ['given_certificates', 'ingress', 'overview'],
    },
  },
  audit: { targets: { given_certificate: (id) => `/given-certificates/${id}` } },
  sections: { given_certificates: 'Given certificates' },
};
