import type {
  CertificateOrderState,
  CertificateOrderStep,
  OutsideAccountState,
  OutsideAuthority,
  Scope,
} from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** An authority as operators set it. What it answers is with its accounts. */
export interface OutsideAuthorityDocument
  extends Readonly<
    Pick<
      OutsideAuthority,
      | 'name'
      | 'scope'
      | 'directory'
      | 'staging_directory'
      | 'contacts'
      | 'challenge'
      | 'roots'
      | 'eab_key_id'
      | 'terms_agreed_at'
      | 'created_at'
      | 'created_by'
    >
  > {
  /** Sealed for `outside_authority/ID/eab`, until the account is made. */
  readonly eab_key: string | null;
}

/** The account at one directory of an authority. Its id is `AUTHORITY/live` or `AUTHORITY/staging`. */
export interface OutsideAccountDocument {
  readonly directory: string;
  /** PKCS #8 in PEM, sealed for `outside_account/ID`. It is there before the account: asked for twice, it is one. */
  readonly key: string;
  readonly state: OutsideAccountState;
  readonly url: string | null;
  /** What the authority last heard of. */
  readonly contacts: readonly string[];
  readonly terms: string | null;
  readonly problem: string | null;
  /** Nothing is asked of it before. */
  readonly paused_until: string | null;
  readonly created_at: string | null;
}

/** When a certificate is renewed, and when the authority is asked next whether that is still so. */
export interface Renewal {
  readonly at: string;
  readonly by: 'authority' | 'lifetime';
  readonly explanation_url: string | null;
  /** Null: it is not asked. */
  readonly ask_at: string | null;
}

/** One for each authority and host name that ingresses name. Its id is that of the given certificate which comes of it. */
export interface CertificateOrderDocument {
  readonly authority: string;
  readonly hostname: string;
  /** The narrowest that covers its ingresses. */
  readonly scope: Scope;
  readonly state: CertificateOrderState;
  readonly step: CertificateOrderStep | null;
  readonly staging: boolean;
  /** Whether the order for this name has succeeded at the staging directory. */
  readonly staged: boolean;
  readonly attempts: number;
  readonly problem: string | null;
  /** Not tried before. Null: it may be at once. */
  readonly next_at: string | null;
  /** Its address at the authority, so that it goes on after a restart. */
  readonly url: string | null;
  /** The key for the certificate that is asked for, in PEM, sealed for `certificate_order/ID`. There before the authority hears of it. */
  readonly key: string | null;
  readonly issued_at: string | null;
  /** What the authority is asked by when to renew the certificate. */
  readonly renewal_id: string | null;
  readonly renewal: Renewal | null;
  /** Since when no ingress needs it. */
  readonly unneeded_since: string | null;
  /** When operators brought it forward, in the last hour. */
  readonly brought_forward: readonly string[];
  readonly created_at: string;
}

export interface OutsideDocuments {
  readonly outside_authority: OutsideAuthorityDocument;
  readonly outside_account: OutsideAccountDocument;
  readonly certificate_order: CertificateOrderDocument;
}

export const outsideKinds: KindRows<OutsideDocuments> = {
  // An earlier one has accounts that may be gone.
  outside_authority: { audited: true, secret: ['eab_key'], bulky: ['roots'], restorable: false },
  outside_account: { audited: false, secret: ['key'], restorable: false },
  certificate_order: { audited: false, secret: ['key'], restorable: false },
};
