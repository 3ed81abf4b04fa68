import { type ActorRef, type Scope, utc } from '@meshwork/contract';
import type { TokenDocument } from '../mesh/kinds.ts';

interface NewToken {
  readonly name: string;
  readonly scope: Scope;
  readonly role: string;
  readonly expires: string;
  readonly created_by: ActorRef;
  readonly secret_sha256: string;
  /** Nodes it may enrol. Null: any number. */
  readonly uses_left?: number | null;
}

/** A token at the start of its life. */
export function newToken(given: NewToken, now_ms: number): TokenDocument {
  return {
    uses_left: null,
    ...given,
    created_at: utc(now_ms),
    retires_at: null,
    rotated_from: null,
    rotated_to: null,
    revoked_at: null,
  };
}
