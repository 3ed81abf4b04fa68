/** The mesh CA: the authorities, the certificates of nodes and services, and their revocation. */

import { defineArea } from '../../area.ts';
import { NameOf } from '../../event-data.ts';
import { maybe } from '../../maybe.ts';
import { NODE_REF_PATTERN } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Timestamp } from '../../timestamp.ts';
import { Type } from '../../type.ts';
import { Authority, exampleAuthority, Serial } from './authority-record.ts';
import {
  Certificate,
  CertificateStateText,
  CertificateWithChain,
  exampleCertificate,
  exampleChain,
  ProfileText,
  RevocationReasonText,
} from './certificate-record.ts';
import { keyEvents, keyOperations } from './key-operations.ts';
import { rotationEvents, rotationOperations } from './rotation-operations.ts';
import { Rotation } from './rotation-record.ts';
import {
  CRL_TYPE,
  caVocabulary,
  MAX_REQUEST,
  MIN_CERTIFICATE_LIFE_S,
  PEM_TYPE,
  REQUESTED_PROFILES,
} from './vocabulary.ts';

export * from './authority-record.ts';
export * from './certificate-record.ts';
export * from './rotation-record.ts';

const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the certificate.' }) });
const NodeRef = Type.String({ maxLength: 64, pattern: NODE_REF_PATTERN, description: 'A node, by id or name.' });
const ReasonWanted = Type.Optional(RevocationReasonText);
const PEM_LIST = '-----BEGIN X509 CRL-----\n…\n-----END X509 CRL-----\n';

const caOperations = defineOperations({
  'ca.show': {
    method: 'GET',
    path: '/v1/ca',
    summary: 'Show the authorities of the mesh, and how far their rotation is',
    permission: 'ca:read',
    reach: 'scoped',
    answer: {
      status: 200,
      description: 'The authorities, roots first.',
      schema: Strict({
        authorities: Type.Array(Authority, { description: 'All of them.' }),
        uncertified_domains: Type.Array(Type.String(), {
          description:
            'Domains of the settings (`ca.domains`) that the active root cannot certify. A rotation of the root makes one that can.',
        }),
        rotation: maybe(Rotation, 'The rotation under way. Null: there is none.'),
      }),
    },
    errors: [],
    example: { answer: { authorities: [exampleAuthority], uncertified_domains: [], rotation: null } },
  },
  'ca.bundle': {
    method: 'GET',
    path: '/v1/ca/bundle',
    summary: 'Download the trust bundle',
    description:
      'The roots of the mesh, in PEM: what a program has to trust in order to know the certificates of the mesh.',
    permission: null,
    reach: 'scoped',
    answer: { status: 200, description: 'The bundle.', schema: Type.String(), type: PEM_TYPE },
    errors: [],
    example: { answer: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n' },
  },
  'ca.crl': {
    method: 'GET',
    path: '/v1/ca/crl',
    summary: 'Download the revocation lists',
    description: 'The newest list of every authority, in PEM, as OpenSSL and nginx take them.',
    permission: null,
    reach: 'scoped',
    answer: { status: 200, description: 'The lists.', schema: Type.String(), type: PEM_TYPE },
    errors: [],
    example: { answer: PEM_LIST },
  },
  'ca.authority_crl': {
    method: 'GET',
    path: '/v1/ca/crl/{authority}',
    summary: 'Download the revocation list of an authority',
    description:
      'The newest list of one authority, in DER, as programs fetch it from the address in a certificate (`ca.distribution_url`), or in PEM. An authority that is retired has none.',
    permission: null,
    reach: 'scoped',
    params: Type.Object({
      authority: Type.String({ maxLength: 64, description: 'Id of the authority, or its serial number.' }),
    }),
    answer: {
      status: 200,
      description: 'The list. Its `ETag` changes with it.',
      schema: Type.String(),
      type: CRL_TYPE,
      binary: true,
      also: [{ type: PEM_TYPE, description: 'The same list in PEM.' }],
    },
    errors: [],
    example: { params: { authority: exampleAuthority.serial }, answer: PEM_LIST },
  },
  'ca.issue': {
    method: 'POST',
    path: '/v1/ca/certificates',
    summary: 'Issue a certificate',
    description:
      'Signs a certificate request (CSR). It can ask for `NODE.mesh` and names below it, for the addresses of that node, and for SPIFFE ids below that of the node, for nodes inside your scope. With the profile `ingress` it can ask for host names of ingresses inside your scope instead, in domains that the root certifies (`ca.domains`); `domain_owners` of the policy says who may use them. A request that asks for more is refused, and the answer says for what. The private key stays where it was made.',
    permission: 'ca:issue',
    reach: 'scoped',
    body: Strict({
      request: Type.String({ minLength: 1, maxLength: MAX_REQUEST, description: 'The request (PKCS #10), in PEM.' }),
      profile: Type.Optional(
        Type.Enum(REQUESTED_PROFILES, { default: 'server', description: 'What it is for. Absent: `server`.' }),
      ),
      lifetime_s: Type.Optional(
        Type.Integer({
          minimum: MIN_CERTIFICATE_LIFE_S,
          maximum: 3650 * 86_400,
          description: 'Absent: as long as the settings allow.',
        }),
      ),
    }),
    body_limit: 64 * 1024,
    versioned: true,
    answer: { status: 201, description: 'The certificate.', schema: CertificateWithChain },
    errors: ['certificate_refused', 'node_state', 'not_owner'],
    example: {
      body: {
        request: '-----BEGIN CERTIFICATE REQUEST-----\n…\n-----END CERTIFICATE REQUEST-----\n',
        profile: 'server',
      },
      answer: exampleChain,
    },
  },
  'ca.certificates': {
    method: 'GET',
    path: '/v1/ca/certificates',
    summary: 'List certificates',
    description: 'Those of nodes within your scope, oldest first. Expired ones are kept for a week.',
    permission: 'ca:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      state: Type.Optional(CertificateStateText),
      profile: Type.Optional(ProfileText),
      node: Type.Optional(NodeRef),
      expires_within_s: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 3650 * 86_400,
          description: 'Only valid ones that expire within this time.',
        }),
      ),
      current: Type.Optional(Type.Boolean({ description: 'True: without those that another one took the place of.' })),
      q: Type.Optional(Type.String({ maxLength: 100, description: 'Part of one of its names, or its serial number.' })),
    }),
    answer: { status: 200, description: 'A page of certificates.', schema: Page(Certificate) },
    errors: [],
    example: { query: { state: 'valid', limit: 1 }, answer: { items: [exampleCertificate], next_cursor: null } },
  },
  'ca.certificate': {
    method: 'GET',
    path: '/v1/ca/certificates/{id}',
    summary: 'Show a certificate',
    permission: 'ca:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The certificate, with its chain.', schema: CertificateWithChain },
    errors: [],
    example: { params: { id: exampleCertificate.id }, answer: exampleChain },
  },
  'ca.revoke': {
    method: 'POST',
    path: '/v1/ca/certificates/{id}/revoke',
    summary: 'Revoke a certificate',
    description:
      'For good. Every node has the new revocation list within a heartbeat. A node whose own certificate is revoked gets another one at once: to cut it off, quarantine it.',
    permission: 'ca:revoke',
    reach: 'scoped',
    params: byId,
    body: Strict({ reason: ReasonWanted }),
    versioned: true,
    answer: { status: 200, description: 'The certificate as it is now.', schema: Certificate },
    errors: [],
    example: {
      params: { id: exampleCertificate.id },
      body: { reason: 'key_compromise' },
      answer: {
        ...exampleCertificate,
        state: 'revoked',
        revoked: {
          at: '2026-11-15T10:00:00Z',
          reason: 'key_compromise',
          by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'deploy git' },
        },
      },
    },
  },
  ...rotationOperations,
  ...keyOperations,
  'ca.revoke_all': {
    method: 'POST',
    path: '/v1/ca/revoke',
    summary: 'Revoke all certificates of a node, or one by its serial number',
    description:
      'Names either a node or a serial number. A serial number that the mesh does not know, as after the restore of an older backup, needs the whole mesh as scope.',
    permission: 'ca:revoke',
    reach: 'scoped',
    body: Strict({
      node: Type.Optional(NodeRef),
      serial: Type.Optional(Serial),
      reason: ReasonWanted,
    }),
    answer: {
      status: 200,
      description: 'How many were revoked.',
      schema: Strict({
        revoked: Type.Integer({ description: 'Certificates that were valid until now.' }),
      }),
    },
    errors: ['not_found', 'mesh_scope_required'],
    example: { body: { node: 'git-1', reason: 'key_compromise' }, answer: { revoked: 3 } },
  },
});

const AboutCertificate = {
  name: NameOf('holder'),
  profile: ProfileText,
  serial: Serial,
};

export const caArea = defineArea({
  name: 'ca',
  title: 'Mesh CA',
  description: 'The certificate authority of the mesh: certificates of nodes and services, and their revocation.',
  ...caVocabulary,
  bounded: true,
  operations: caOperations,
  events: {
    'authority.created': {
      summary: 'A certificate authority was made',
      data: Strict({ name: NameOf('authority'), not_after: Timestamp('When it expires.') }),
    },
    ...rotationEvents,
    ...keyEvents,
    'certificate.issued': {
      summary: 'A certificate was issued',
      data: Strict({ ...AboutCertificate, not_after: Timestamp('When it expires.') }),
    },
    'certificate.refused': {
      summary: 'The certificate request of a node was refused',
      data: Strict({ name: NameOf('node'), reason: Type.String({ description: 'Why.' }) }),
    },
    'certificate.revoked': {
      summary: 'A certificate was revoked',
      data: Strict({ ...AboutCertificate, reason: maybe(RevocationReasonText, 'Why.') }),
    },
  },
});
