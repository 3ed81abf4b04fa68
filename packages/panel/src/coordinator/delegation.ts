import { isPermission, type Permission, type TokenWithSecret } from '@meshwork/contract';
import type { SignedInAs } from '../sessions/person-access.ts';

/** Ours: long enough that renewals cost nothing, short enough that one which cannot be ended does little harm. */
export const LIFETIME_S = 15 * 60;

/** A short-lived token of the coordinator for one person at one address. The secret never leaves this process. */
export class Delegation {
  readonly id: string;
  readonly secret: string;
  /** On the monotonic clock. */
  readonly good_until: number;
  /** Name, role and scope of the person when it was made: `rightsOf`. */
  readonly rights: string;
  /** Aborted at once when the session ends, or the person's rights change: open requests must end too. */
  readonly ended: AbortSignal;
  #permissions: ReadonlySet<Permission>;
  #refreshed_at: number;

  constructor(token: TokenWithSecret, given: { rights: string; ended: AbortSignal; asked_at: number }) {
    this.id = token.id;
    this.secret = token.secret;
    this.rights = given.rights;
    this.ended = given.ended;
    this.good_until = given.asked_at + LIFETIME_S * 1000;
    this.#permissions = new Set(token.permissions.filter(isPermission));
    this.#refreshed_at = given.asked_at;
  }

  get permissions(): ReadonlySet<Permission> {
    return this.#permissions;
  }

  /** When the coordinator last sent the permissions, on the monotonic clock. */
  get refreshed_at(): number {
    return this.#refreshed_at;
  }

  refresh(permissions: readonly string[], at: number): void {
    this.#permissions = new Set(permissions.filter(isPermission));
    this.#refreshed_at = at;
  }
}

/** Name, role and scope of the person as text, to compare them. */
export function rightsOf({ user }: SignedInAs): string {
  const { name, role, scope } = user.body;
  return JSON.stringify([name, role, scope.team, scope.surface, scope.environment]);
}

/** The address in the form that the coordinator accepts. Null: it accepts none like it. */
export function plainAddress(address: string): string | null {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
  return /^[0-9A-Fa-f:.]{2,45}$/.test(plain) ? plain : null;
}
