import {
  type AccountId,
  type ActorRef,
  type AuthorityId,
  type CertificateId,
  type CertificateProfile,
  type NodeId,
  newId,
} from '@meshwork/contract';
import type { CertificateNames, KeyType } from '@meshwork/pki';
import type { OfIngresses } from '../kinds/ca.ts';
import { certificatesOfIngress } from '../mesh/ingress-certificates.ts';
import type { Stored } from '../mesh/model.ts';
import { certificatesOf, scopeOfCertificate } from '../mesh/node-certificates.ts';
import type { Transaction } from '../mesh/transaction.ts';

export interface Signed {
  readonly profile: CertificateProfile;
  readonly issuer: Stored<'authority'>;
  readonly names: CertificateNames;
  readonly nodes: readonly NodeId[];
  readonly of_ingresses?: OfIngresses;
  readonly key_type: KeyType;
  readonly serial: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly der: Uint8Array;
  readonly requested_by: ActorRef;
  readonly account?: AccountId;
}

/** Writes a signed certificate down, with the nodes or the ingresses that it names. Its serial number is taken from then on. */
export function keepCertificate(tx: Transaction, signed: Signed): Stored<'certificate'> {
  const { issuer, der, ...about } = signed;
  const id = newId('certificate', tx.now_ms);
  tx.create('claim', `serial/${signed.serial}`, { holder: id });
  const certificate = tx.create('certificate', id, {
    ...about,
    issuer: issuer.id as AuthorityId,
    certificate: Buffer.from(der).toString('base64'),
  });
  for (const node of signed.nodes) {
    const own = certificatesOf(tx, node);
    tx.put('node_certificate', node, { ...own, all: [...own.all.filter((one) => isNeeded(tx, one)), id] });
  }
  for (const ingress of signed.of_ingresses?.ids ?? []) {
    const all = certificatesOfIngress(tx, ingress).filter((one) => isNeeded(tx, one));
    tx.put('ingress_certificate', ingress, { all: [...all, id] });
  }
  tx.emit({
    type: 'certificate.issued',
    subject: { kind: 'certificate', id },
    scope: scopeOfCertificate(tx, certificate.body),
    data: {
      name: signed.names.dns[0] ?? signed.names.uris[0] ?? signed.serial,
      profile: signed.profile,
      serial: signed.serial,
      not_after: signed.not_after,
    },
  });
  return certificate;
}

/** One that expired can be left alone when its node loses all that it has. */
function isNeeded(tx: Transaction, id: CertificateId): boolean {
  const certificate = tx.get('certificate', id)?.body;
  return certificate !== undefined && Date.parse(certificate.not_after) > tx.now_ms;
}
