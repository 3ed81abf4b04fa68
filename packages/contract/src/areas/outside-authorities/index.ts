/**
 * Authorities outside of the mesh that issue certificates for ingresses by ACME (RFC 8555), as public ones do. An ingress names one
 * in `tls.certificate`; the rest happens by itself. Start with `outside-authority.ts`; what is ordered is in `certificate-orders/`.
 */
import { defineArea } from '../../area.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { Type } from '../../type.ts';
import {
  EabKey,
  EabKeyId,
  exampleOutsideAuthority,
  OutsideAuthority,
  OutsideChallenge,
  OutsideContacts,
  OutsideDirectory,
  OutsideName,
  OutsideRoots,
  OutsideStaging,
} from './outside-authority.ts';
import { outsideAuthorityVocabulary } from './vocabulary.ts';

export { OutsideAuthority, type OutsideAuthorityId } from './outside-authority.ts';

const Named = Strict({ name: Type.String({ description: 'Its display name.' }) });
const byId = Type.Object({
  id: Type.String({ maxLength: 64, description: 'Id of the authority, or its name if no other has the same.' }),
});
const params = { id: exampleOutsideAuthority.id };
const unregistered = { state: 'none', url: null, created_at: null, problem: null } as const;

const outsideAuthorityOperations = defineOperations({
  'outside_authorities.create': {
    method: 'POST',
    path: '/v1/outside-authorities',
    summary: 'Create an outside authority',
    description:
      'An account is made with it at once. Ingresses whose scope it covers get certificates from it once they name it. Its address, and every one that it answers with, has to be public, unless the coordinator is run with `MESH_OUTBOUND_NETWORKS`.',
    permission: 'outside_authorities:write',
    reach: 'scoped',
    body: Strict({
      name: OutsideName,
      scope: Type.Optional(Scope),
      directory: OutsideDirectory,
      staging_directory: Type.Optional(OutsideStaging),
      contacts: Type.Optional(OutsideContacts),
      challenge: Type.Optional(OutsideChallenge),
      roots: Type.Optional(OutsideRoots),
      eab_key_id: Type.Optional(EabKeyId),
      eab_key: Type.Optional(EabKey),
      agree_terms: Type.Boolean({
        description: 'Has to be true: you agree to the terms of the authority, which its directory names.',
      }),
    }),
    versioned: true,
    answer: { status: 201, description: 'The authority.', schema: OutsideAuthority },
    errors: ['exceeds_own_rights'],
    example: {
      body: {
        name: 'letsencrypt',
        directory: exampleOutsideAuthority.directory,
        staging_directory: exampleOutsideAuthority.staging_directory,
        contacts: ['ops@example.net'],
        agree_terms: true,
      },
      answer: {
        ...exampleOutsideAuthority,
        terms: null,
        account: unregistered,
        staging_account: unregistered,
        orders: 0,
        certificates: 0,
      },
    },
  },
  'outside_authorities.list': {
    method: 'GET',
    path: '/v1/outside-authorities',
    summary: 'List outside authorities',
    permission: 'outside_authorities:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of authorities.', schema: Page(OutsideAuthority) },
    errors: [],
    example: { answer: { items: [exampleOutsideAuthority], next_cursor: null } },
  },
  'outside_authorities.show': {
    method: 'GET',
    path: '/v1/outside-authorities/{id}',
    summary: 'Show an outside authority',
    permission: 'outside_authorities:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The authority, without its keys.', schema: OutsideAuthority },
    errors: [],
    example: { params, answer: exampleOutsideAuthority },
  },
  'outside_authorities.update': {
    method: 'PATCH',
    path: '/v1/outside-authorities/{id}',
    summary: 'Change an outside authority',
    description:
      'A JSON merge patch: name only what changes. Its directory stays, because its account is there: create another authority for another one. An account that could not be made is tried again at once.',
    permission: 'outside_authorities:write',
    reach: 'scoped',
    params: byId,
    body: Strict({
      name: Type.Optional(OutsideName),
      staging_directory: Type.Optional(OutsideStaging),
      contacts: Type.Optional(OutsideContacts),
      challenge: Type.Optional(OutsideChallenge),
      roots: Type.Optional(OutsideRoots),
      eab_key_id: Type.Optional(EabKeyId),
      eab_key: Type.Optional(EabKey),
      agree_terms: Type.Optional(
        Type.Boolean({
          description: 'True: you agree to the terms as they are now, after the authority changed them.',
        }),
      ),
    }),
    versioned: true,
    answer: { status: 200, description: 'The authority as it is now.', schema: OutsideAuthority },
    errors: ['exceeds_own_rights'],
    example: { params, body: { contacts: ['ops@example.net'] }, answer: exampleOutsideAuthority },
  },
  'outside_authorities.delete': {
    method: 'DELETE',
    path: '/v1/outside-authorities/{id}',
    summary: 'Delete an outside authority',
    description:
      'Refused while an ingress names it. Its accounts are deactivated where it can be reached. Certificates that it issued stay valid.',
    permission: 'outside_authorities:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 204, description: 'It is gone, with the keys of its accounts.' },
    errors: ['exceeds_own_rights', 'outside_authority_in_use'],
    example: { params },
  },
});

export const outsideAuthoritiesArea = defineArea({
  name: 'outside_authorities',
  title: 'Outside authorities',
  description: 'Authorities that issue certificates for ingresses by ACME, as public ones do.',
  ...outsideAuthorityVocabulary,
  bounded: true,
  operations: outsideAuthorityOperations,
  events: {
    'outside_authority.created': { summary: 'An outside authority was created', data: Named },
    'outside_authority.changed': { summary: 'An outside authority was changed', data: Named },
    'outside_authority.registered': { summary: 'An account was made with an outside authority', data: Named },
    'outside_authority.deleted': { summary: 'An outside authority was deleted', data: Named },
  },
});
