import { ActorRef } from '../../actor.ts';
import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { NODE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import { GIVEN_CERTIFICATE_STATES, MAX_GIVEN_CHAIN, MAX_GIVEN_KEY } from './vocabulary.ts';

export const GivenName = Type.String({
  pattern: NODE_NAME_PATTERN,
  description: 'Its display name. Not `mesh` or `none`, which mean something else to an ingress.',
});
export const GivenChain = Type.String({
  minLength: 1,
  maxLength: MAX_GIVEN_CHAIN,
  description:
    'The certificate and then its issuers, each signed by the next, in PEM: `fullchain.pem` of certbot. A root at the end is left out.',
});
export const GivenKey = Type.String({
  minLength: 1,
  maxLength: MAX_GIVEN_KEY,
  description:
    'The private key of the certificate in PEM, not encrypted: RSA with 2048 to 4096 bits, P-256, P-384 or Ed25519. It is kept sealed, sent to the gateways that need it, and never answered.',
});

const Fingerprint = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the certificate, in hexadecimal.',
});

const UsedBy = Type.Object(
  {
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    name: Type.String({ description: 'Name of the ingress.' }),
    hostname: Type.String({ description: 'Its host name.' }),
    covered: Type.Boolean({ description: 'Whether the certificate is for the host name. False: clients refuse it.' }),
  },
  { additionalProperties: false, description: 'An ingress that shows it.' },
);

const ShownBy = Type.Object(
  {
    node: NodeIdText,
    name: NodeName,
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    fingerprint: maybe(
      Type.String(),
      'SHA-256 of the certificate that clients of the ingress get there, as the gateway found it in a handshake with itself. Null: not reported.',
    ),
    current: Type.Boolean({ description: 'True: the gateway proves that clients get this certificate.' }),
    problem: maybe(Type.String(), 'Why that is not proven. Null: it is.'),
  },
  { additionalProperties: false, description: 'A gateway that is to show it.' },
);

export const GivenCertificate = named(
  'GivenCertificate',
  Type.Object(
    {
      id: Type.String({
        pattern: idPattern('given'),
        description: 'Identifies it permanently, also when it is replaced.',
      }),
      name: GivenName,
      scope: Scope,
      names: Type.Array(Type.String(), {
        description: 'Host names and addresses that it is for. `*.example.net` is for one label before `example.net`.',
      }),
      subject: Type.String({ description: 'Its subject.' }),
      issuer: Type.String({ description: 'Who issued it.' }),
      serial: Type.String({ description: 'Its serial number, in hexadecimal.' }),
      fingerprint: Fingerprint,
      key_type: Type.String({ description: 'Such as `EC P-256` or `RSA 2048`.' }),
      issuers: Type.Integer({
        description: 'How many issuers gateways send with it. 0: clients have to know its issuer.',
      }),
      not_before: Timestamp('Not valid before.'),
      not_after: Timestamp('Not valid after.'),
      issuers_not_after: maybe(Timestamp('When the first of its issuers ends. Null: it has none with it.')),
      state: Type.Enum(GIVEN_CERTIFICATE_STATES, {
        description:
          'By the clock of the coordinator. `expiring`: it ends within 21 days, or within the last third of a shorter life. `expired`: it or an issuer has ended, and clients refuse it.',
      }),
      warnings: Type.Array(Type.String(), { description: 'What some clients may trip over, in words.' }),
      used_by: Type.Array(UsedBy, { description: 'Ingresses inside your scope that show it.' }),
      shown_by: Type.Array(ShownBy, { description: 'Their gateways, and what each proves to show.' }),
      authority: maybe(
        Type.Object(
          {
            id: Type.String({ pattern: idPattern('outside'), description: 'Its id.' }),
            name: Type.String({ description: 'Its name.' }),
          },
          { additionalProperties: false, description: 'An outside authority.' },
        ),
        'The outside authority that issued it for the ingresses which name it. Its order has the same id. Null: an operator brought it.',
      ),
      renew_at: maybe(Timestamp('When it is renewed by itself. Null: an operator brings the next one.')),
      created_at: Timestamp('When it was first brought.'),
      created_by: ActorRef,
      replaced_at: maybe(Timestamp('When it was last replaced. Null: never.')),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type GivenCertificate = Static<typeof GivenCertificate>;

export const exampleGivenCertificate: GivenCertificate = {
  id: 'given_01jcqvd51xf1b8x0v4q6k3j9zt',
  name: 'shop',
  scope: { team: 'platform', surface: 'git', environment: 'production' },
  names: ['shop.example.net', '*.shop.example.net'],
  subject: 'CN=shop.example.net',
  issuer: 'C=US, O=Let’s Encrypt, CN=E7',
  serial: '04f2a1c0d39e5b77',
  fingerprint: '5f1c0e3b8d4a6972c1e0f3b5a7d98264e1c3a5b7f9d08162435465768798a9ba',
  key_type: 'EC P-256',
  issuers: 1,
  not_before: '2026-10-20T08:00:00Z',
  not_after: '2027-01-18T08:00:00Z',
  issuers_not_after: '2027-03-12T23:59:59Z',
  state: 'valid',
  warnings: [],
  used_by: [
    { ingress: 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n', name: 'shop', hostname: 'shop.example.net', covered: true },
  ],
  shown_by: [
    {
      node: 'node_01jcqv9b1xf3m8x0v4q6k3j9zt',
      name: 'gw-1',
      ingress: 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n',
      fingerprint: '5f1c0e3b8d4a6972c1e0f3b5a7d98264e1c3a5b7f9d08162435465768798a9ba',
      current: true,
      problem: null,
    },
  ],
  authority: null,
  renew_at: null,
  created_at: '2026-10-20T08:05:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'certbot' },
  replaced_at: null,
  revision: 1184,
};
