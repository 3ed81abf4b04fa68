/** Settings of the mesh CA. */
import { isLess, type SettingSections } from '../../feature/setting-fields.ts';

export const CERTIFICATE_SETTINGS = {
  ca: {
    title: 'Certificates',
    description: 'What new authorities and certificates are like. Existing ones stay as they are.',
    fields: {
      root_lifetime_days: {
        label: 'Lifetime of roots',
        meaning: 'How long a new root is valid. Every program that trusts the mesh needs the next one before then.',
        kind: 'count',
        unit: 'days',
      },
      intermediate_lifetime_days: {
        label: 'Lifetime of intermediates',
        meaning: 'How long a new intermediate is valid. No certificate outlives the intermediate that signed it.',
        kind: 'count',
        unit: 'days',
      },
      node_lifetime_s: {
        label: 'Lifetime of node certificates',
        meaning: 'How long a new certificate of a node is valid. Nodes renew theirs in the last third.',
        kind: 'count',
        unit: 's',
        consequence: (after, before) =>
          isLess(after, before)
            ? 'Nodes renew more often, and have less time to do so while the coordinator is unreachable.'
            : 'A stolen key is useful for longer where programs do not check revocation.',
      },
      service_lifetime_s: {
        label: 'Longest lifetime of service certificates',
        meaning: 'The longest lifetime that a certificate of a service can be issued for.',
        kind: 'count',
        unit: 's',
      },
      domains: {
        label: 'Further domains',
        meaning: 'Domains besides mesh that a new root can certify, for host names of ingresses.',
        kind: 'list',
        example: 'a domain, such as corp.example.org',
        consequence: () =>
          'In effect with the next rotation of the root. Programs that trust it then trust it for these.',
      },
      distribution_url: {
        label: 'Address for revocation lists',
        meaning: 'Where machines reach the coordinator. New certificates contain the address of their revocation list.',
        kind: 'text',
        example: 'an address, such as http://mesh.example.org:7400',
        none: 'Not in certificates',
        consequence: () => 'Existing certificates keep what they contain. Nodes get the new address when they renew.',
      },
    },
  },
} as const satisfies SettingSections;
