import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleGivenCertificate } from '../given-certificates/given-certificate.ts';
import { exampleOutsideAuthority } from '../outside-authorities/outside-authority.ts';
import { CERTIFICATE_ORDER_STATES, CERTIFICATE_ORDER_STEPS, RENEWAL_SOURCES } from './vocabulary.ts';

const Ref = (prefix: 'outside' | 'ingress', what: string) =>
  Type.Object(
    {
      id: Type.String({ pattern: idPattern(prefix), description: 'Its id.' }),
      name: Type.String({ description: 'Its name.' }),
    },
    { additionalProperties: false, description: what },
  );

export const CertificateOrder = named(
  'CertificateOrder',
  Type.Object(
    {
      id: Type.String({
        pattern: idPattern('given'),
        description: 'Follows from authority and host name. Also the id of the given certificate that comes of it.',
      }),
      hostname: Type.String({ description: 'The host name that the certificate is for.' }),
      scope: Scope,
      authority: Ref('outside', 'The outside authority that issues it.'),
      ingresses: Type.Array(Ref('ingress', 'An ingress of the host name that names the authority.'), {
        description: 'Those inside your scope. Empty: none needs it any more, or you see none of them.',
      }),
      state: Type.Enum(CERTIFICATE_ORDER_STATES, {
        description:
          '`waiting`: for its turn. `under_way`: it is being made. `failing`: the last attempt failed, and another follows. `issued`: there is a certificate, and nothing is to be done now.',
      }),
      step: maybe(
        Type.Enum(CERTIFICATE_ORDER_STEPS, { description: 'Which step is being made.' }),
        'Which step is being made, or failed the last time. Null: neither.',
      ),
      staging: Type.Boolean({ description: 'True: the attempt is, or was, at the staging directory.' }),
      attempts: Type.Integer({ minimum: 0, description: 'Attempts that failed since the last that did not.' }),
      problem: maybe(
        Type.String(),
        'Why the last attempt failed, in the words of the authority or of a gateway. Null: it did not.',
      ),
      next_at: maybe(
        Timestamp('When it is tried next; for an issued one, when it is renewed. Null: it is due, or under way.'),
      ),
      renewal: maybe(
        Type.Object(
          {
            at: Timestamp('When it is renewed.'),
            by: Type.Enum(RENEWAL_SOURCES, {
              description:
                '`authority`: it asks for that (RFC 9773). `lifetime`: after two thirds of the life of the certificate.',
            }),
            explanation_url: maybe(Type.String(), 'Where the authority says why. Null: it says nothing.'),
          },
          { additionalProperties: false, description: 'When the certificate is renewed.' },
        ),
        'Null: there is no certificate yet.',
      ),
      not_after: maybe(Timestamp('When its certificate ends. Null: there is none yet.')),
      issued_at: maybe(Timestamp('When its certificate came. Null: there is none yet.')),
      created_at: Timestamp('Since when an ingress needs it.'),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type CertificateOrder = Static<typeof CertificateOrder>;

export const exampleCertificateOrder: CertificateOrder = {
  id: exampleGivenCertificate.id,
  hostname: 'shop.example.net',
  scope: exampleGivenCertificate.scope,
  authority: { id: exampleOutsideAuthority.id, name: exampleOutsideAuthority.name },
  ingresses: [{ id: 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n', name: 'shop' }],
  state: 'issued',
  step: null,
  staging: false,
  attempts: 0,
  problem: null,
  next_at: '2027-01-12T17:20:00Z',
  renewal: { at: '2027-01-12T17:20:00Z', by: 'authority', explanation_url: null },
  not_after: '2027-02-12T09:00:30Z',
  issued_at: '2026-11-14T10:00:31Z',
  created_at: '2026-11-14T10:00:10Z',
  revision: 1196,
};
