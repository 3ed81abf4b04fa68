/** The role that can do what is wanted and the least beside it. */
import type { AssignableRole } from '../../../mesh/assignable-roles.ts';

export interface LeastRole {
  readonly role: AssignableRole;
  /** What it can do beside what is wanted. */
  readonly beyond: readonly string[];
}

/** Null: no role that the person could give can do all of it. */
export function leastRole(
  wanted: ReadonlySet<string>,
  roles: readonly AssignableRole[],
  own: readonly string[],
): LeastRole | null {
  let least: LeastRole | null = null;
  for (const role of roles) {
    const has = new Set(role.permissions);
    if (![...wanted].every((one) => has.has(one)) || !role.permissions.every((one) => own.includes(one))) continue;
    const beyond = role.permissions.filter((one) => one !== 'self:read' && !wanted.has(one));
    if (least === null || beyond.length < least.beyond.length) least = { role, beyond };
  }
  return least;
}
