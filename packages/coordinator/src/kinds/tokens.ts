import type { ActorRef, PersonRef, Scope, TokenId } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** A token at rest. Its state is derived from the times in it (`access/token-state.ts`), never stored. */
export interface TokenDocument {
  readonly name: string;
  readonly scope: Scope;
  readonly role: string;
  readonly expires: string;
  readonly created_at: string;
  /** Who made it or, where it replaces another, who rotated that: who has seen its secret. */
  readonly created_by: ActorRef;
  /** The role of the person who made it. Absent: no person did, or an older version did not say. */
  readonly made_as?: string;
  readonly secret_sha256: string;
  readonly retires_at: string | null;
  readonly rotated_from: TokenId | null;
  readonly rotated_to: TokenId | null;
  readonly revoked_at: string | null;
  /** Nodes it may still enrol. Null, or absent in tokens of older versions: any number. */
  readonly uses_left?: number | null;
  /** Set once an event has announced that it expires soon. */
  readonly expiry_announced?: true;
  /** The person it acts for. Null, or absent in tokens of older versions: it acts for itself. */
  readonly on_behalf_of?: PersonRef | null;
  /** Where that person sits. */
  readonly address?: string | null;
  /** Tags that it may set although its scope does not own them. Absent: none. */
  readonly tags?: readonly GivenTag[];
}

/** A tag that a token may set, by the right of the scope that gave it: what that scope could not set, the token cannot. */
export interface GivenTag {
  readonly tag: string;
  readonly by: Scope;
}

export interface TokenDocuments {
  readonly token: TokenDocument;
}

export const tokenKinds: KindRows<TokenDocuments> = {
  token: { audited: true, secret: ['secret_sha256'], restorable: false },
};
