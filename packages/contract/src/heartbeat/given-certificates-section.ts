/** What a gateway is sent of given certificates: those that its ingresses show, with their keys. */
import { idPattern } from '../ids.ts';
import { named } from '../named.ts';
import { type Static, Type } from '../type.ts';
import { record } from './section-record.ts';

const AssignedCertificate = named(
  'AssignedCertificate',
  record(
    {
      id: Type.String({ pattern: idPattern('given'), description: 'Id of the given certificate.' }),
      chain: Type.String({ description: 'The certificate with its issuers, in PEM.' }),
      private_key: Type.String({ description: 'PKCS #8 in PEM. A secret.' }),
    },
    'A given certificate that an ingress of the node shows.',
  ),
);
export type AssignedCertificate = Static<typeof AssignedCertificate>;

export const GivenCertificatesSection = named(
  'GivenCertificatesSection',
  Type.Array(AssignedCertificate, {
    description:
      'All that ingresses of the node show, in order of id. What is not here any more, a gateway forgets with its key.',
  }),
);
export type GivenCertificatesSection = Static<typeof GivenCertificatesSection>;
