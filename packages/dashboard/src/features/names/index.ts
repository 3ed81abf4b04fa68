/**
 * The names of the mesh: DNS records, the names that nodes and services have by themselves, and split DNS. Start with
 * `names-page.tsx`.
 */
import { IconAddressBook } from '@tabler/icons-react';
import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'names',
  title: 'Names',
  navigation: { group: 'Mesh', icon: IconAddressBook },
  permission: 'dns:read',
  pages: [{ path: '/names', load: () => import('./names-page.tsx') }],
  events: {
    dns: {
      title: 'DNS events',
      subject: (event) => `DNS record ${nameIn(event)}`,
      to: () => '/names',
      happened: {
        'dns.created': 'was created',
        'dns.changed': 'was updated',
        'dns.deleted': 'was deleted',
      },
      stale: ['dns', 'nodes'],
    },
  },
  audit: { targets: { dns: () => '/names' } },
  sections: { dns: 'Names' },
  settings: {
    dns: {
      title: 'Names',
      description: 'How nodes resolve names outside the mesh (split DNS).',
      fields: {
        routing_domains: {
          label: 'Routing domains',
          meaning: 'Domains that nodes resolve by a resolver of their own. Repeat a domain for several resolvers.',
          kind: 'list',
          example: 'a domain and its resolver, such as corp.example.org=10.0.0.53',
          consequence: () => 'Every node sends its queries for these domains to these resolvers.',
        },
        allow_special_addresses: {
          label: 'Allow special addresses in DNS',
          meaning:
            'Allow records and resolvers with loopback, link-local, multicast and metadata addresses. For labs only.',
          kind: 'switch',
          consequence: (after) => (after === true ? 'Names of the mesh can lead programs to their own host.' : null),
        },
      },
    },
  },
};
