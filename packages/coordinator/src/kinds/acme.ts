import type {
  AccountId,
  AccountState,
  AuthorizationId,
  CertificateId,
  ChallengeType,
  NodeId,
  TokenId,
} from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** A public key as JWK, without anything but the key itself. */
export type PublicJwk =
  | { readonly kty: 'EC'; readonly crv: 'P-256' | 'P-384'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string };

/** An account of an ACME client. That a key has one account, the claim `acme-key/THUMBPRINT` sees to. */
interface AccountDocument {
  readonly state: AccountState;
  /** The token that it was bound to. Where that was rotated, its successors speak for it. */
  readonly token: TokenId;
  readonly key: PublicJwk;
  /** Of the key (RFC 7638). */
  readonly thumbprint: string;
  readonly contacts: readonly string[];
  readonly created_at: string;
}

/** What became of an order follows from its authorizations and its certificate; no state is kept that could contradict them. */
interface OrderDocument {
  readonly account: AccountId;
  readonly names: readonly string[];
  readonly authorizations: readonly AuthorizationId[];
  readonly created_at: string;
  readonly expires: string;
  /** Null: it was not finalised. */
  readonly certificate: CertificateId | null;
  /** The serial number of the certificate whose place it takes. Null: the client did not say. */
  readonly replaces: string | null;
}

/** What the client tried, and what came of it. */
interface TriedChallenge {
  readonly type: ChallengeType;
  readonly answered_at: string;
  /** When it was proven. Null: it was not. */
  readonly proven_at: string | null;
  /** As ACME names it, and in words. Null: nothing was wrong. */
  readonly error: { readonly type: string; readonly detail: string } | null;
}

/** That an account may have certificates for a name. */
export interface AuthorizationDocument {
  readonly account: AccountId;
  readonly name: string;
  /** The node that has the name. When the name moves to another, the authorization is void. */
  readonly node: NodeId;
  /** `processing`: the client has answered, and the node is being asked. */
  readonly state: 'pending' | 'processing' | 'valid' | 'invalid' | 'deactivated';
  /** What the client has to show, together with its key. */
  readonly token: string;
  readonly expires: string;
  /** Null: none yet. */
  readonly tried: TriedChallenge | null;
}

export interface AcmeDocuments {
  readonly acme_account: AccountDocument;
  readonly acme_order: OrderDocument;
  readonly acme_authorization: AuthorizationDocument;
}

export const acmeKinds: KindRows<AcmeDocuments> = {
  acme_account: { audited: true, secret: [], restorable: false },
  acme_order: { audited: true, secret: [], restorable: false },
  acme_authorization: { audited: false, secret: [], restorable: false },
};
