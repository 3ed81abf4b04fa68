import { AsnConvert } from '@peculiar/asn1-schema';
import { CRLNumber, id_ce_cRLNumber } from '@peculiar/asn1-x509';
import type { OpenIssuer } from './issuer.ts';
import { SIGNING, x509 } from './x509.ts';

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

const REASONS: Readonly<Record<Reason, x509.X509CrlReason | undefined>> = {
  unspecified: undefined, // RFC 5280 wants it left out
  key_compromise: x509.X509CrlReason.keyCompromise,
  affiliation_changed: x509.X509CrlReason.affiliationChanged,
  superseded: x509.X509CrlReason.superseded,
  cessation_of_operation: x509.X509CrlReason.cessationOfOperation,
  privilege_withdrawn: x509.X509CrlReason.privilegeWithdrawn,
};

/** A revocation list of an authority, as DER. Slow with many entries (7 s with 10,000): never on a thread that answers. */
export async function makeRevocationList(issuer: OpenIssuer, wanted: ListWanted): Promise<Buffer<ArrayBuffer>> {
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.certificate.subjectName,
    thisUpdate: wanted.made_at,
    nextUpdate: wanted.next_at,
    signingAlgorithm: SIGNING,
    signingKey: issuer.key,
    extensions: [
      issuer.key_id,
      new x509.Extension(id_ce_cRLNumber, false, AsnConvert.serialize(new CRLNumber(wanted.number))),
    ],
    entries: wanted.revoked.map(({ serial, at, reason }) => {
      const code = REASONS[reason];
      return { serialNumber: serial, revocationDate: at, ...(code === undefined ? {} : { reason: code }) };
    }),
  });
  return Buffer.from(list.rawData);
}
