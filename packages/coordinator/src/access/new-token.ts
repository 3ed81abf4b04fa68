import { type ActorRef, type PersonRef, type Scope, utc } from '@meshwork/contract';
import type { GivenTag, TokenDocument } from '../kinds/tokens.ts';

interface NewToken {
  readonly name: string;
  readonly scope: Scope;
  readonly role: string;
  readonly expires: string;
  readonly created_by: ActorRef;
  readonly made_as?: string;
  readonly secret_sha256: string;
  /** Nodes it may enrol. Null: any number. */
  readonly uses_left?: number | null;
  /** The person it acts for, and their address. Null: it acts for itself. */
  readonly on_behalf_of?: PersonRef | null;
  readonly address?: string | null;
  /** Tags it may set although its scope does not own them. Absent: none. */
  readonly tags?: readonly GivenTag[];
}

/** A token at the start of its life. */
export function newToken(given: NewToken, now_ms: number): TokenDocument {
  return {
    uses_left: null,
    on_behalf_of: null,
    address: null,
    ...given,
    created_at: utc(now_ms),
    retires_at: null,
    rotated_from: null,
    rotated_to: null,
    revoked_at: null,
  };
}
