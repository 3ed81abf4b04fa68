/** Certificates that operators bring for ingresses. */
import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'given-certificates',
  title: 'Given certificates',
  permission: 'given_certificates:read',
  attention: {
    given_certificate_expired: ({ name }) => ({ command: `mesh ingress certificate show ${name}` }),
    given_certificate_expiring: ({ name }) => ({ command: `mesh ingress certificate show ${name}` }),
    given_certificate_unfit: ({ id }) => ({ page: { to: `/ingress/${id}`, label: 'Open ingress' } }),
  },
  events: {
    given_certificate: {
      title: 'Given certificate events',
      subject: (event) => `Certificate ${nameIn(event)}`,
      to: () => '/ingress',
      happened: {
        'given_certificate.created': 'was brought for ingresses',
        'given_certificate.replaced': 'was replaced',
        'given_certificate.deleted': 'was deleted',
      },
      stale: ['given_certificates', 'ingress', 'overview'],
    },
  },
  sections: { given_certificates: 'Given certificates' },
};
