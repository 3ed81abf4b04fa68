/** What the signing thread does: everything that reads untrusted ASN.1, or takes longer than an answer may wait. */
import type {
  AuthorityWanted,
  CertificateWanted,
  ChallengeCertificate,
  GivenResult,
  IntermediateRequest,
  IntermediateResult,
  IntermediateToCheck,
  Issuer,
  ListWanted,
  RequestResult,
} from '@meshwork/pki';

import type { RevokedText } from './revoked-text.ts';

export interface Jobs {
  readonly root: { readonly input: AuthorityWanted; readonly output: Issuer };
  readonly intermediate: {
    readonly input: { readonly root: Issuer; readonly wanted: AuthorityWanted };
    readonly output: Issuer;
  };
  /** The certificate that an ACME client shows, as DER. Undefined: it is none. */
  readonly challenge: { readonly input: Uint8Array<ArrayBuffer>; readonly output: ChallengeCertificate | undefined };
  /** A certificate that an operator brings, with its key. */
  readonly given: {
    readonly input: { readonly chain: string; readonly private_key: string; readonly now_ms: number };
    readonly output: GivenResult;
  };
  /** A request for a certificate of an outside authority, as DER. */
  readonly request_for: {
    readonly input: { readonly hostname: string; readonly private_key: string };
    readonly output: Uint8Array<ArrayBuffer>;
  };
  readonly request: {
    readonly input: Pick<AuthorityWanted, 'name' | 'constraints'>;
    readonly output: IntermediateRequest;
  };
  readonly check: { readonly input: IntermediateToCheck; readonly output: IntermediateResult };
  readonly read: { readonly input: readonly string[]; readonly output: readonly RequestResult[] };
  /** Certificates as DER, in the same order. */
  readonly issue: {
    readonly input: { readonly issuer: Issuer; readonly wanted: readonly CertificateWanted[] };
    readonly output: readonly Uint8Array[];
  };
  /** A revocation list as DER. Its entries are one text: as objects, many of them hold up the thread that sends them. */
  readonly list: {
    readonly input: {
      readonly issuer: Issuer;
      readonly wanted: Omit<ListWanted, 'revoked'>;
      readonly revoked: RevokedText;
    };
    readonly output: Uint8Array;
  };
}

export type JobName = keyof Jobs;

export interface SigningJob<J extends JobName = JobName> {
  readonly name: J;
  readonly input: Jobs[J]['input'];
}
