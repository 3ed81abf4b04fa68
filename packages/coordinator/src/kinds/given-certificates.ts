import type { GivenCertificate } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** A certificate that an operator brought, or that an outside authority issued: then its order has the same id. What follows from ingresses, gateways and the clock is only in its record. */
export interface GivenCertificateDocument
  extends Readonly<
    Omit<
      GivenCertificate,
      'id' | 'issuers' | 'state' | 'warnings' | 'used_by' | 'shown_by' | 'authority' | 'renew_at' | 'revision'
    >
  > {
  readonly self_signed: boolean;
  /** The certificate with its issuers, in PEM. */
  readonly chain: string;
  /** PKCS #8 in PEM, sealed for `given_certificate/ID`. */
  readonly key: string;
}

export interface GivenCertificateDocuments {
  readonly given_certificate: GivenCertificateDocument;
}

export const givenCertificateKinds: KindRows<GivenCertificateDocuments> = {
  // An earlier one may have been replaced because its key was stolen.
  given_certificate: { audited: true, secret: ['key'], bulky: ['chain'], restorable: false },
};
