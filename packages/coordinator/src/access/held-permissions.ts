import type { Permission } from '@meshwork/contract';
import type { TokenDocument } from '../kinds/tokens.ts';
import type { Stored, View } from '../mesh/model.ts';
import { ancestryOf } from './lineage.ts';
import { grantedBy, permissionsOfRole } from './rights.ts';
import { actsForPerson, goodUntil, tokenState, works } from './token-state.ts';

type Permissions = ReadonlySet<Permission>;

interface Known {
  readonly held: Permissions;
  /**
   * What it was computed from: as long as all of it is the same, so is the result. Those that had ended are not among them: they
   * bound nothing, and never work again unless the clock goes back.
   */
  readonly ancestors: readonly Stored<'token'>[];
  readonly roles: ReadonlyMap<string, Permissions | undefined>;
  /** Between these moments none of the ancestors begins or ceases to work. */
  readonly from_ms: number;
  readonly until_ms: number;
}
const known = new WeakMap<TokenDocument, Known>();

/**
 * What a token may do now: what its role allows, as far as each token above it that still works may do it too. A custom role
 * that loses a permission takes it from whatever was made with it. An ancestor that was revoked or has expired bounds nothing:
 * what it made was ended with it or kept on purpose. What a person made is bounded by the role that they made it with.
 */
export function heldPermissions(view: View, token: Stored<'token'>, now_ms: number): Permissions {
  const before = known.get(token.body);
  if (before !== undefined && isUnchanged(view, before, now_ms)) return before.held;
  const computed = compute(view, token, now_ms);
  known.set(token.body, computed);
  return computed.held;
}

function compute(view: View, token: Stored<'token'>, now_ms: number): Known {
  const roles = new Map<string, Permissions | undefined>();
  const ofRole = (name: string) => {
    const permissions = permissionsOfRole(view, name);
    roles.set(name, permissions);
    return permissions;
  };
  ofRole(token.body.role);
  const granted = grantedBy(view, token.body.role);
  // The panel says what a person may do: its own token allows nothing but to speak for them (docs/decisions/0027).
  const isPersons = actsForPerson(token.body);
  const { tokens, origin_role } = isPersons ? { tokens: [], origin_role: undefined } : ancestryOf(view, token);
  const ancestors = tokens.filter(({ body }) => works(tokenState(body, now_ms)));
  const bounds: Permissions[] = [];
  let until_ms = Number.POSITIVE_INFINITY;
  for (const { body } of ancestors) {
    ofRole(body.role);
    bounds.push(grantedBy(view, body.role));
    until_ms = Math.min(until_ms, goodUntil(body));
  }
  // A role that was deleted bounds nothing, as a token that has ended does not.
  const madeWith = origin_role === undefined ? undefined : ofRole(origin_role);
  if (madeWith !== undefined) bounds.push(madeWith);
  return { held: within(granted, bounds), ancestors, roles, from_ms: now_ms, until_ms };
}

/** The very same set where nothing is taken away, so that a cache can tell by identity that it has not changed. */
function within(granted: Permissions, bounds: readonly Permissions[]): Permissions {
  const isHeld = (permission: Permission) => bounds.every((bound) => bound.has(permission));
  const held = [...granted].filter(isHeld);
  return held.length === granted.size ? granted : new Set(held);
}

function isUnchanged(view: View, before: Known, now_ms: number): boolean {
  if (now_ms < before.from_ms || now_ms >= before.until_ms) return false;
  for (const [name, permissions] of before.roles) if (permissionsOfRole(view, name) !== permissions) return false;
  return before.ancestors.every(({ id, body }) => view.get('token', id)?.body === body);
}
