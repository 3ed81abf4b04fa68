import { type Id, idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Cidrs } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { AUTHORITY_KEYS, AUTHORITY_ROLES, AUTHORITY_STATES, MESH_DOMAIN } from './vocabulary.ts';

export const AuthorityIdText = Type.String({
  pattern: idPattern('authority'),
  description: 'Identifies the authority permanently.',
});
export type AuthorityId = Id<'authority'>;

export const Sha256 = (what: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description: `SHA-256 of the ${what}, in hexadecimal.` });
export const Serial = Type.String({
  pattern: '^[0-9a-f]{2,40}$',
  description: 'Its serial number, in hexadecimal, as OpenSSL prints it but in lower case.',
});

/** What a list of an authority says, so that an operator sees how current it is. */
const RevocationListState = Type.Object(
  {
    number: Type.Integer({ description: 'Higher with each list.' }),
    entries: Type.Integer({ description: 'Certificates that it names. Those that expired have left it.' }),
    made_at: Timestamp('When it was made.'),
    next_at: Timestamp('Until when programs may rely on it. A new one is made long before.'),
  },
  { additionalProperties: false, description: 'Its newest revocation list.' },
);

export const Authority = named(
  'Authority',
  Type.Object(
    {
      id: AuthorityIdText,
      role: Type.Enum(AUTHORITY_ROLES, {
        description:
          '`root`: what programs trust; it signs only other authorities. `intermediate`: signs certificates.',
      }),
      state: Type.Enum(AUTHORITY_STATES, {
        description:
          '`published`: nodes are sent it, and it signs nothing yet. `active`: it signs. `retiring`: it signs nothing more; what it signed is good until it expires. `retired`: nodes are not sent it any more.',
      }),
      state_since: Timestamp('Since when it is in that state.'),
      name: Type.String({ description: 'Its name, as certificates show it.' }),
      issuer: maybe(AuthorityIdText, 'The authority that signed it. Null: itself, as a root does.'),
      serial: Serial,
      fingerprint: Sha256('certificate'),
      not_before: Timestamp('Not valid before.'),
      not_after: Timestamp('Not valid after.'),
      constraints: Type.Object(
        {
          domains: Type.Array(Type.String(), { description: 'Names in these domains, and the domains themselves.' }),
          networks: Cidrs('Addresses in these networks.'),
          trust_domain: Type.String({ description: 'SPIFFE ids in this trust domain.' }),
        },
        { additionalProperties: false, description: 'What it can certify. Programs refuse anything else of it.' },
      ),
      key: Type.Enum(AUTHORITY_KEYS, {
        description:
          'Where its private key is. `kept`: sealed in the installation. `outside`: it was exported and dropped, and what it signs is signed elsewhere. `deleted`: it is gone, as that of a retired authority.',
      }),
      key_exported_at: maybe(Timestamp('When its key was last exported.'), 'Null: never.'),
      certificates: Type.Integer({ description: 'Certificates of it that are valid now.' }),
      revocation_list: maybe(RevocationListState, 'Null: none has been made yet.'),
      revocation_list_url: maybe(
        Type.String(),
        'Where its list is, as certificates say that it signs from now on (`ca.distribution_url`). Null: they do not say.',
      ),
      certificate: Type.String({ description: 'The certificate of the authority itself, in PEM.' }),
    },
    { additionalProperties: false },
  ),
);
export type Authority = Static<typeof Authority>;

export const exampleAuthority: Authority = {
  id: 'authority_01jcqv6p0ee3xv9k7d0w8m2b4n',
  role: 'intermediate',
  state: 'active',
  state_since: '2026-11-15T09:00:00Z',
  name: 'Meshwork intermediate 1f0c2a7e',
  issuer: 'authority_01jcqv6p0df1b8x0v4q6k3j9zt',
  serial: '5c1f8e0b7a3d4c22b9101f0c2a7e6d05',
  fingerprint: '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  not_before: '2026-11-15T08:59:00Z',
  not_after: '2027-02-13T09:00:00Z',
  constraints: {
    domains: [MESH_DOMAIN],
    networks: ['100.64.0.0/10', 'fd4c:9a1e:77b0::/64'],
    trust_domain: '9f86d081884c7d659a2feaa0c5.mesh',
  },
  key: 'kept',
  key_exported_at: null,
  certificates: 48,
  revocation_list: {
    number: 1_794_733_200_000,
    entries: 1,
    made_at: '2026-11-15T09:00:00Z',
    next_at: '2026-11-22T09:00:00Z',
  },
  revocation_list_url: null,
  certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
};
