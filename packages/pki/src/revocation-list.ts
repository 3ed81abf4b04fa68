import { AsnConvert } from '@peculiar/asn1-schema';
import {
  CertificateList,
  CRLNumber,
  CRLReason,
  CRLReasons,
  type Extension,
  id_ce_cRLNumber,
  id_ce_cRLReasons,
  RevokedCertificate,
  TBSCertList,
  Time,
  Version,
} from '@peculiar/asn1-x509';
import type { OpenIssuer } from './issuer.ts';
import { extensionOf, integerOf, SIGNATURE, signatureOf } from './signed.ts';

type Reason =
  | 'unspecified'
  | 'key_compromise'
  | 'affiliation_changed'
  | 'superseded'
  | 'cessation_of_operation'
  | 'privilege_withdrawn';

export interface Revoked {
  /** Hexadecimal. */
  readonly serial: string;
  readonly at: Date;
  readonly reason: Reason;
}

export interface ListWanted {
  readonly number: number;
  readonly made_at: Date;
  readonly next_at: Date;
  readonly revoked: readonly Revoked[];
}

const REASONS: Readonly<Record<Exclude<Reason, 'unspecified'>, Extension[]>> = {
  key_compromise: reasonOf(CRLReasons.keyCompromise),
  affiliation_changed: reasonOf(CRLReasons.affiliationChanged),
  superseded: reasonOf(CRLReasons.superseded),
  cessation_of_operation: reasonOf(CRLReasons.cessationOfOperation),
  privilege_withdrawn: reasonOf(CRLReasons.privilegeWithdrawn),
};

/** A revocation list of an authority, as DER. Slow with many entries: never on a thread that answers. */
export function makeRevocationList(issuer: OpenIssuer, wanted: ListWanted): Buffer<ArrayBuffer> {
  const revoked = wanted.revoked.map(
    ({ serial, at, reason }) =>
      new RevokedCertificate({
        userCertificate: integerOf(serial),
        revocationDate: new Time(at),
        // RFC 5280 wants the reason left out where there is none.
        ...(reason === 'unspecified' ? {} : { crlEntryExtensions: REASONS[reason] }),
      }),
  );
  const tbsCertList = new TBSCertList({
    version: Version.v2,
    signature: SIGNATURE,
    issuer: issuer.subject,
    thisUpdate: new Time(wanted.made_at),
    nextUpdate: new Time(wanted.next_at),
    // An empty list is none (RFC 5280, 5.1.2.6).
    ...(revoked.length === 0 ? {} : { revokedCertificates: revoked }),
    crlExtensions: [issuer.key_id_schema, extensionOf(id_ce_cRLNumber, new CRLNumber(wanted.number))],
  });
  const signature = signatureOf(issuer.private_key, AsnConvert.serialize(tbsCertList));
  return Buffer.from(
    AsnConvert.serialize(new CertificateList({ tbsCertList, signatureAlgorithm: SIGNATURE, signature })),
  );
}

function reasonOf(reason: CRLReasons): Extension[] {
  return [extensionOf(id_ce_cRLReasons, new CRLReason(reason))];
}
