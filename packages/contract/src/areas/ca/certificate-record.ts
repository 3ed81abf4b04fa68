import { ActorRef } from '../../actor.ts';
import { type Id, idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { AuthorityIdText, exampleAuthority, Serial, Sha256 } from './authority-record.ts';
import { CERTIFICATE_PROFILES, CERTIFICATE_STATES, REVOCATION_REASONS } from './vocabulary.ts';

const CertificateIdText = Type.String({
  pattern: idPattern('certificate'),
  description: 'Identifies the certificate permanently.',
});
export type CertificateId = Id<'certificate'>;

export const RevocationReasonText = Type.Enum(REVOCATION_REASONS, {
  description:
    'Why. `key_compromise`: others may have its private key. `superseded`: another one took its place. `cessation_of_operation`: what it was for is gone. `privilege_withdrawn`: its holder may not have it any more.',
});

export const CertificateStateText = Type.Enum(CERTIFICATE_STATES, {
  description: '`valid`: neither expired nor revoked. One that was revoked stays `revoked` when it expires.',
});
export const ProfileText = Type.Enum(CERTIFICATE_PROFILES, {
  description:
    'What it is for. `node`: the identity of a node, as server and as client. `server`: a service. `client`: a program that calls services. `ingress`: host names of ingresses.',
});

const certificateFields = {
  id: CertificateIdText,
  serial: Serial,
  profile: ProfileText,
  state: CertificateStateText,
  names: Type.Object(
    {
      dns: Type.Array(Type.String(), { description: 'DNS names.' }),
      addresses: Type.Array(Type.String(), { description: 'IP addresses.' }),
      uris: Type.Array(Type.String(), { description: 'SPIFFE ids.' }),
    },
    { additionalProperties: false, description: 'Who it says its holder is.' },
  ),
  nodes: Type.Array(NodeIdText, {
    description:
      'The nodes that its names belong to; of an ingress: the gateway that has its key, if it was issued to one. When one of them is removed or quarantined, it is revoked.',
  }),
  ingresses: Type.Array(Type.String({ pattern: idPattern('ingress') }), {
    description:
      'The ingresses that its names belong to. When one of them is deleted or gets another host name, it is revoked.',
  }),
  current: Type.Boolean({
    description:
      'Of a node or a gateway: whether it is the one that it should use now. Of a service: whether it is the newest with these names.',
  }),
  key_type: Type.String({ description: 'Such as `EC P-256` or `RSA 2048`.' }),
  issuer: AuthorityIdText,
  fingerprint: Sha256('certificate'),
  not_before: Timestamp('Not valid before.'),
  not_after: Timestamp('Not valid after.'),
  renews_at: maybe(
    Timestamp('When its node is asked to renew it, or it is renewed for its gateway. Null: that is up to its holder.'),
  ),
  requested_by: ActorRef,
  revoked: maybe(
    Type.Object(
      {
        at: Timestamp('When.'),
        reason: RevocationReasonText,
        by: ActorRef,
      },
      { additionalProperties: false },
    ),
    'Null: it was not revoked.',
  ),
  revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
};

export const Certificate = named('Certificate', Type.Object(certificateFields, { additionalProperties: false }));
export type Certificate = Static<typeof Certificate>;

export const CertificateWithChain = named(
  'CertificateWithChain',
  Type.Object(
    {
      ...certificateFields,
      chain: Type.String({
        description: 'The certificate and the intermediate that signed it, in PEM, as servers are given it.',
      }),
    },
    { additionalProperties: false },
  ),
);
export type CertificateWithChain = Static<typeof CertificateWithChain>;

export const exampleCertificate: Certificate = {
  id: 'certificate_01jcqv7a2ee3xv9k7d0w8m2b4n',
  serial: '3a9d0c5e11f24b7c8e6f0d1a2b3c4d5e',
  profile: 'server',
  state: 'valid',
  names: { dns: ['git-1.mesh'], addresses: ['100.64.0.7'], uris: [] },
  nodes: [exampleNode.id],
  ingresses: [],
  current: true,
  key_type: 'EC P-256',
  issuer: exampleAuthority.id,
  fingerprint: 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
  not_before: '2026-11-15T09:29:00Z',
  not_after: '2026-12-15T09:30:00Z',
  renews_at: null,
  requested_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'deploy git' },
  revoked: null,
  revision: 1184,
};

export const exampleChain: CertificateWithChain = {
  ...exampleCertificate,
  chain:
    '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
};
