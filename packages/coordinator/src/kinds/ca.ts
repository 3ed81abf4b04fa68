import type {
  AccountId,
  ActorRef,
  AuthorityId,
  AuthorityRole,
  AuthorityState,
  CertificateId,
  CertificateProfile,
  IngressId,
  NodeId,
  RevocationReason,
  Scope,
} from '@meshwork/contract';
import type { CertificateNames, Constraints } from '@meshwork/pki';
import type { KindRows } from './kind-row.ts';

/** An authority of the mesh CA. Nothing of it changes but its state. */
interface AuthorityDocument {
  readonly role: AuthorityRole;
  readonly state: AuthorityState;
  readonly state_since: string;
  readonly name: string;
  /** Null: a root, which signed itself. */
  readonly issuer: AuthorityId | null;
  readonly serial: string;
  /** DER in base64. */
  readonly certificate: string;
  /** PKCS #8 in DER, sealed for `authority/ID`. Null: it is gone, with the authority or because it is kept outside. */
  readonly key: string | null;
  /** When its key was last exported. Absent: never. */
  readonly exported_at?: string;
  /** Since when its key is kept outside. Absent: it is not. */
  readonly dropped_at?: string;
  readonly constraints: Constraints;
  readonly not_before: string;
  readonly not_after: string;
}

/** The ingresses that the names of a certificate belong to, and who may know of it, also when they are gone. */
export interface OfIngresses {
  readonly ids: readonly IngressId[];
  readonly scope: Scope;
}

/** A certificate of a node, a service or an ingress. It never changes: whether it was revoked is a `revocation`. */
export interface CertificateDocument {
  readonly serial: string;
  readonly profile: CertificateProfile;
  readonly names: CertificateNames;
  /** The nodes that its names belong to; of an ingress: the gateway that has its key, if it was issued to one. */
  readonly nodes: readonly NodeId[];
  /** Absent: it names no ingress. */
  readonly of_ingresses?: OfIngresses;
  readonly key_type: string;
  readonly issuer: AuthorityId;
  /** DER in base64. */
  readonly certificate: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly requested_by: ActorRef;
  /** The ACME account that it was issued to. Absent: it was requested otherwise. */
  readonly account?: AccountId;
}

/** That a certificate was revoked. The id is its serial number. It stays until the certificate would have expired. */
interface RevocationDocument {
  readonly authority: AuthorityId;
  /** Null: the mesh does not know the certificate, as after the restore of an older backup. */
  readonly certificate: CertificateId | null;
  readonly at: string;
  readonly reason: RevocationReason;
  readonly by: ActorRef;
  readonly expires_at: string;
}

/** The newest revocation list of an authority. Same id as the authority. */
interface RevocationListDocument {
  readonly number: number;
  readonly entries: number;
  /** The newest revocation that it has: those that came later are in the next one. */
  readonly revision: number;
  readonly made_at: string;
  readonly next_at: string;
  /** DER in base64. */
  readonly list: string;
}

/** The certificates of a node. Same id as the node. Absent: it never asked for one. */
export interface NodeCertificateDocument {
  /** The certificate request that waits to be signed. Null: none does. */
  readonly request: string | null;
  /** SHA-256 of the last request, whatever became of it: the same one is not looked at twice. */
  readonly request_sha256: string | null;
  /** Why the last request was refused. Null: it was not. */
  readonly refused: string | null;
  /** The certificate that the node should use. Null: none. */
  readonly current: CertificateId | null;
  /** When the last one was issued to it. Null: none was. */
  readonly issued_at: string | null;
  /** The newest published authority that the node has proven to trust. Absent: none since the first ones. */
  readonly trusts?: AuthorityId;
  /** All that name this node, those of its services too, until they expire. */
  readonly all: readonly CertificateId[];
}

/** The certificates that name an ingress. Same id as the ingress. Absent: it never had one. */
interface IngressCertificateDocument {
  /** Until they expire. */
  readonly all: readonly CertificateId[];
}

/** The certificates of ingresses that a gateway shows to clients. Same id as the node. Absent: it never asked for any. */
interface GatewayCertificateDocument {
  /** The public half of its key, as a certificate request, for every ingress that it is given. Null: it must not be used any more. */
  readonly request: string | null;
  /** SHA-256 of the last request, whatever became of it. */
  readonly request_sha256: string;
  /** When the last request came, and from when on it is signed: a gateway that changes its key too often waits. */
  readonly requested_at: string;
  readonly signed_from: string;
  /** Why the last request was refused. Null: it was not. */
  readonly refused: string | null;
  /** By ingress: the certificate for that key that the gateway should use. None of them is revoked. */
  readonly current: Readonly<Record<string, CertificateId>>;
  /** By ingress: those for the keys before, which it goes on with until it has one for the new key. None of them is revoked. */
  readonly before: Readonly<Record<string, CertificateId>>;
}

/** The rotation under way. There is at most one, `ca`. */
export interface RotationDocument {
  readonly what: AuthorityRole;
  readonly from: readonly AuthorityId[];
  /** The intermediate is the last of them. */
  readonly to: readonly AuthorityId[];
  readonly started_at: string;
  readonly started_by: ActorRef;
  readonly deadline: string | null;
  /** The switch does not come before. Absent: in a rotation that was started without, or by an older version. */
  readonly not_before?: string;
  readonly switched_at: string | null;
}

/** The request for an intermediate that is signed outside. There is at most one, `ca`. */
export interface IntermediateRequestDocument {
  readonly name: string;
  readonly root: AuthorityId;
  readonly requested_at: string;
  /** PKCS #10 in PEM. */
  readonly request: string;
  /** SPKI in DER, in base64. */
  readonly public_key: string;
  /** PKCS #8 in DER, sealed for `intermediate_request/ca`. */
  readonly key: string;
}

export interface CaDocuments {
  readonly intermediate_request: IntermediateRequestDocument;
  readonly rotation: RotationDocument;
  readonly authority: AuthorityDocument;
  readonly certificate: CertificateDocument;
  readonly revocation: RevocationDocument;
  readonly revocation_list: RevocationListDocument;
  readonly node_certificate: NodeCertificateDocument;
  readonly ingress_certificate: IngressCertificateDocument;
  readonly gateway_certificate: GatewayCertificateDocument;
}

export const caKinds: KindRows<CaDocuments> = {
  rotation: { audited: true, secret: [], restorable: false },
  intermediate_request: { audited: true, secret: ['key'], bulky: ['request'], restorable: false },
  authority: { audited: true, secret: ['key'], bulky: ['certificate'], restorable: false },
  certificate: { audited: true, secret: [], bulky: ['certificate'], restorable: false },
  revocation: { audited: true, secret: [], restorable: false },
  revocation_list: { audited: false, secret: [], bulky: ['list'], restorable: false },
  node_certificate: { audited: false, secret: [], restorable: false },
  ingress_certificate: { audited: false, secret: [], restorable: false },
  gateway_certificate: { audited: false, secret: [], restorable: false },
};
