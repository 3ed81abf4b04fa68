/** The documents of the panel: people, their sessions, and invitations. */

import type { ActorRef, APPEARANCES, Scope, Session, UserId } from '@meshwork/contract';
import type * as documents from '@meshwork/service/documents';

export interface UserDocument {
  readonly name: string;
  readonly display_name: string;
  readonly role: string;
  readonly scope: Scope;
  readonly state: 'invited' | 'active' | 'disabled';
  /** Given by operators. Absent in documents of older versions: none. */
  readonly groups?: readonly string[];
  /** As the provider said when they last signed in by it. Absent: it said none. */
  readonly provider_groups?: readonly string[];
  /** Argon2id, in the PHC form. Null: signs in by something else, or not yet. */
  readonly password: string | null;
  readonly totp: TotpDocument | null;
  readonly passkeys: readonly PasskeyDocument[];
  /** Who they are at the provider. Null: not linked. */
  readonly oidc: { readonly issuer: string; readonly subject: string; readonly label: string } | null;
  readonly appearance: (typeof APPEARANCES)[number];
  readonly created_at: string;
  readonly created_by: ActorRef;
}

interface TotpDocument {
  /** Sealed by the panel's key, and bound to the person. */
  readonly secret: string;
  /** The last step whose code was used: a code is good once. */
  readonly last_step: number;
  /** SHA-256 of those not used yet. */
  readonly recovery_codes: readonly string[];
}

export interface PasskeyDocument {
  readonly id: string;
  readonly name: string;
  /** COSE, base64url. */
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
  /** When the challenge was issued that it answered last, 0 before the first: an earlier one is not taken, so each is good once. */
  readonly last_challenge_ms: number;
}

/** Reserves a name for one person, so that two concurrent requests cannot take it. The id is the name. */
interface NameDocument {
  readonly user: UserId;
}

/** Reserves an identity at the provider for one person. The id is the SHA-256 of issuer and subject. */
interface IdentityDocument {
  readonly user: UserId;
}

export interface SessionDocument {
  readonly user: UserId;
  /** SHA-256 of what the cookie holds. */
  readonly secret_sha256: string;
  /** The secret before the last change: reads that were on their way may still use it. Null: none, or too long ago. */
  readonly previous: { readonly secret_sha256: string; readonly until: string } | null;
  /** `halfway`: the second factor is still missing. */
  readonly state: 'halfway' | 'open';
  readonly method: Session['method'];
  readonly created_at: string;
  readonly expires: string;
  /** To within a minute. */
  readonly last_seen_at: string;
  /** When the person last proved who they are. */
  readonly proven_at: string;
  /** Where the browser was last. */
  readonly address: string;
  readonly user_agent: string;
  /** The coordinator's token behind it, to be ended with it. Null: none was needed yet. */
  readonly token: string | null;
  /** A secret for an authenticator that no code has confirmed yet; sealed. */
  readonly totp_draft: string | null;
  /** What a new passkey has to answer, and until when. */
  readonly challenge: { readonly value: string; readonly until: string } | null;
}

export const SETUP = 'setup';

/** There is one, with the id above. Absent: the panel has never been started. */
export interface SetupDocument {
  /** Says which key seals what is in here, without telling the key. */
  readonly key_check: string;
  /** Null: no code is good. */
  readonly code_sha256: string | null;
  readonly code_expires: string | null;
  /** Set once the first owner exists: set-up is closed for good. */
  readonly done_at: string | null;
}

/** The id is that of the person it is for. */
interface InvitationDocument {
  readonly code_sha256: string;
  readonly expires: string;
}

/** The kind of `ActivityDocument`. Stores have it under this name since the first version. */
export const ACTIVITY = 'sighting';

/** See `ledger/activity.ts`. The id is that of the person. */
interface ActivityDocument {
  /** To within a minute. */
  readonly last_seen_at: string;
  /** Where they signed in from before, newest first: hashes of address prefixes that failures from elsewhere do not lock. */
  readonly households: readonly string[];
}

/**
 * What the coordinator still has to be asked to end of what a person made, written with the change that it follows from. Ids
 * sort in the order in which they are to be carried out. Gone once the coordinator has confirmed it.
 */
export interface RetirementDocument {
  readonly person: { readonly id: UserId; readonly name: string };
  /** Who decided it. */
  readonly by: ActorRef;
  readonly address: string | null;
  /** What the person may do from then on. Null: nothing. */
  readonly limit: { readonly role: string; readonly scope: Scope } | null;
  /** Only their sessions at ingresses end. */
  readonly keep_tokens?: true;
  readonly at: string;
}

export interface Documents {
  readonly user: UserDocument;
  readonly name: NameDocument;
  readonly identity: IdentityDocument;
  readonly session: SessionDocument;
  readonly setup: SetupDocument;
  readonly invitation: InvitationDocument;
  readonly [ACTIVITY]: ActivityDocument;
  readonly retirement: RetirementDocument;
}

export type Kind = keyof Documents;
export const KIND_NAMES = [
  'user',
  'name',
  'identity',
  'session',
  'setup',
  'invitation',
  ACTIVITY,
  'retirement',
] as const satisfies readonly Kind[];

export type Stored<K extends Kind> = documents.Stored<Documents, K>;
/** What can be read: the ledger, or a running transaction. */
export type View = documents.View<Documents>;
