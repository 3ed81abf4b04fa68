import { isPermission, type Permission, type TokenWithSecret } from '@meshwork/contract';
import type { SignedInAs } from '../sessions/person-access.ts';

/** Ours: long enough that renewing it costs nothing, short enough that nobody minds when one cannot be ended. */
export const LIFETIME_S = 15 * 60;

/** A token of the coordinator through which one person speaks, from one place. The secret never leaves this process. */
export class Grant {
  readonly id: string;
  readonly secret: string;
  /** On the clock that never jumps. */
  readonly good_until: number;
  /** What the panel said that the person is and may do when it was made: `rightsOf`. */
  readonly rights: string;
  /** Aborted at once when the session ends, or the person's rights change: whatever is still open must end too. */
  readonly ended: AbortSignal;
  #permissions: ReadonlySet<Permission>;
  #told_at: number;

  constructor(token: TokenWithSecret, given: { rights: string; ended: AbortSignal; asked_at: number }) {
    this.id = token.id;
    this.secret = token.secret;
    this.rights = given.rights;
    this.ended = given.ended;
    this.good_until = given.asked_at + LIFETIME_S * 1000;
    this.#permissions = new Set(token.permissions.filter(isPermission));
    this.#told_at = given.asked_at;
  }

  get permissions(): ReadonlySet<Permission> {
    return this.#permissions;
  }

  /** When the coordinator last said what they may do, on the clock that never jumps. */
  get told_at(): number {
    return this.#told_at;
  }

  told(permissions: readonly string[], at: number): void {
    this.#permissions = new Set(permissions.filter(isPermission));
    this.#told_at = at;
  }
}

/** Who the person is and what they may do, as text, to see whether it has changed. */
export function rightsOf({ user }: SignedInAs): string {
  const { name, role, scope } = user.body;
  return JSON.stringify([name, role, scope.team, scope.surface, scope.environment]);
}

/** As the coordinator takes an address. Null: nothing that it would take. */
export function plainAddress(address: string): string | null {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
  return /^[0-9A-Fa-f:.]{2,45}$/.test(plain) ? plain : null;
}
