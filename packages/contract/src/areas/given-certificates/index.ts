/** Certificates that operators bring for ingresses, from an authority of their choice. Start with `given-certificate.ts`. */
import { defineArea } from '../../area.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { Type } from '../../type.ts';
import { exampleGivenCertificate, GivenCertificate, GivenChain, GivenKey, GivenName } from './given-certificate.ts';
import { givenCertificateVocabulary } from './vocabulary.ts';

export { GivenCertificate } from './given-certificate.ts';

const Named = Strict({ name: Type.String({ description: 'Its display name.' }) });
const byId = Type.Object({
  id: Type.String({ maxLength: 64, description: 'Id of the certificate, or its name if no other has the same.' }),
});
const params = { id: exampleGivenCertificate.id };
const examplePem = {
  chain: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
  private_key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
};

const givenCertificateOperations = defineOperations({
  'given_certificates.create': {
    method: 'POST',
    path: '/v1/given-certificates',
    summary: 'Bring a certificate for ingresses',
    description:
      'From any authority, with its private key. Ingresses whose scope it covers show it once they name it. `domain_owners` of the policy says for which names you may bring one.',
    permission: 'given_certificates:write',
    reach: 'scoped',
    body: Strict({ name: GivenName, scope: Type.Optional(Scope), chain: GivenChain, private_key: GivenKey }),
    versioned: true,
    answer: { status: 201, description: 'The certificate, without its key.', schema: GivenCertificate },
    errors: ['exceeds_own_rights', 'not_owner'],
    example: {
      body: { name: 'shop', ...examplePem },
      answer: { ...exampleGivenCertificate, used_by: [], shown_by: [] },
    },
  },
  'given_certificates.list': {
    method: 'GET',
    path: '/v1/given-certificates',
    summary: 'List given certificates',
    permission: 'given_certificates:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of certificates.', schema: Page(GivenCertificate) },
    errors: [],
    example: { answer: { items: [exampleGivenCertificate], next_cursor: null } },
  },
  'given_certificates.show': {
    method: 'GET',
    path: '/v1/given-certificates/{id}',
    summary: 'Show a given certificate',
    permission: 'given_certificates:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The certificate, without its key.', schema: GivenCertificate },
    errors: [],
    example: { params, answer: exampleGivenCertificate },
  },
  'given_certificates.replace': {
    method: 'PUT',
    path: '/v1/given-certificates/{id}',
    summary: 'Replace a given certificate, as with a renewed one',
    description:
      'Gateways show the new one to the next client, without a reload. It has to be for every host name of the ingresses that show the old one.',
    permission: 'given_certificates:write',
    reach: 'scoped',
    params: byId,
    body: Strict({ chain: GivenChain, private_key: GivenKey }),
    versioned: true,
    answer: { status: 200, description: 'The certificate as it is now.', schema: GivenCertificate },
    errors: ['exceeds_own_rights', 'not_owner', 'certificate_ordered'],
    example: { params, body: examplePem, answer: exampleGivenCertificate },
  },
  'given_certificates.delete': {
    method: 'DELETE',
    path: '/v1/given-certificates/{id}',
    summary: 'Delete a given certificate with its key',
    permission: 'given_certificates:write',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 204, description: 'It is gone, here and on gateways.' },
    errors: ['exceeds_own_rights', 'certificate_in_use', 'certificate_ordered'],
    example: { params },
  },
});

export const givenCertificatesArea = defineArea({
  name: 'given_certificates',
  title: 'Given certificates',
  description: 'Certificates that operators bring for ingresses, from an authority of their choice.',
  ...givenCertificateVocabulary,
  bounded: true,
  operations: givenCertificateOperations,
  events: {
    'given_certificate.created': { summary: 'A certificate was brought for ingresses', data: Named },
    'given_certificate.replaced': { summary: 'A given certificate was replaced', data: Named },
    'given_certificate.deleted': { summary: 'A given certificate was deleted', data: Named },
  },
});
