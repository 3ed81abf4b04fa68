/**
 * The mesh CA: its authorities and how to trust them (`authorities/`), the certificates of nodes and services, issuing one from a
 * certificate request (`issue/`), revoking (`revoke/`), replacing the authorities (`rotation/`), and the accounts of ACME clients
 * (`acme/`). Start with `certificates-page.tsx`, then `certificate-page.tsx`.
 */
import { IconCertificate } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';
import { ACCOUNT_EVENTS, ACME_ACTIONS } from './acme/account-events.ts';
import { AUTHORITY_EVENTS, CERTIFICATE_EVENTS } from './certificate-events.ts';
import { CERTIFICATE_SETTINGS } from './certificate-settings.ts';

export const feature: Feature = {
  id: 'certificates',
  title: 'Certificates',
  navigation: { group: 'Access', icon: IconCertificate },
  permission: 'ca:read',
  pages: [
    { path: '/certificates', load: () => import('./certificates-page.tsx') },
    { path: '/certificates/new', load: () => import('./issue/issue-page.tsx') },
    { path: '/certificates/$id', load: () => import('./certificate-page.tsx') },
  ],
  attention: {
    authority_expiring: () => ({ page: { to: '/certificates', label: 'View authorities' } }),
    certificate_overdue: ({ name }) => ({
      page: { to: '/certificates', search: { node: name }, label: 'View certificates of this node' },
    }),
  },
  events: { account: ACCOUNT_EVENTS, authority: AUTHORITY_EVENTS, certificate: CERTIFICATE_EVENTS },
  sections: { trust: 'Trusted authorities', certificate: 'Certificate' },
  settings: CERTIFICATE_SETTINGS,
  audit: {
    actions: ['ca.forget', 'ca.found', 'ca.issue_nodes', ...ACME_ACTIONS],
    targets: {
      account: () => '/certificates',
      authority: () => '/certificates',
      certificate: (id) => `/certificates/${id}`,
    },
  },
};
