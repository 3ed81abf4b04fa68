/** Refusals in the audit trail: who was refused what, and how often. */
import { type AuditTarget, type ErrorCode, type Scope, WHOLE_MESH } from '@meshwork/contract';
import { addressPrefixOf, FoldedRefusals } from '@meshwork/service';
import type { Cause } from '../mesh/audit-entry.ts';
import type { Mesh } from '../mesh/mesh.ts';

/** Our numbers, see docs/decisions/0040. */
const WINDOW_MS = 60_000;
const LIMITS = { per_source: 8, per_caller: 32, anonymous: 100 };

/** The action of entries that stand for refusals of several operations. */
const FOLDED_ACTION = 'requests.refused';

interface Refusal {
  readonly cause: Cause;
  readonly code: ErrorCode | 'outside_scope';
  readonly target: AuditTarget | null;
  readonly detail: string;
}

export type Refusals = FoldedRefusals<Refusal>;

interface RefusalParts {
  readonly mesh: Mesh;
  readonly failed: (error: unknown) => void;
  /** Called for each refusal that shares its entry with others. */
  readonly folded: () => void;
}

/**
 * A kind is a source (a token, a node, or an address prefix), an operation and a code. What a refused caller names in a path
 * makes no kind, except where it was found and lies outside the scope.
 */
export function openRefusals({ mesh, failed, folded }: RefusalParts): Refusals {
  return new FoldedRefusals<Refusal>({
    clock: mesh.clock,
    window_ms: WINDOW_MS,
    limits: LIMITS,
    kindOf: ({ cause, code, target }) => ({
      source: sourceOf(cause),
      what: [cause.action, code, code === 'outside_scope' ? target?.id : ''].join('\n'),
      is_anonymous: cause.actor.kind === 'anonymous',
    }),
    fold: ({ cause: { actor, request }, code }, of) => {
      const isOfOne = of === 'one source';
      const cause = { actor, action: FOLDED_ACTION, ...(isOfOne && request !== undefined ? { request } : {}) };
      const detail = isOfOne ? 'Of several operations.' : 'From many addresses.';
      return { refusal: { cause, code, target: null, detail }, what: [FOLDED_ACTION, code].join('\n') };
    },
    write: ({ cause, code, target, detail }, { count, first_ms, last_ms }) => {
      const span =
        count === 1 ? {} : { first_at: new Date(first_ms).toISOString(), last_at: new Date(last_ms).toISOString() };
      return mesh.transact(cause, (tx) =>
        tx.record({ target, scope: scopeOf(cause, code), detail, outcome: 'refused', code, count, ...span }),
      );
    },
    failed,
    folded,
  });
}

/** A token or a node by its id; anyone else by where they are, for an IPv6 host has a whole /64 to choose from. */
function sourceOf({ actor, request }: Cause): string {
  return actor.kind === 'token' || actor.kind === 'node'
    ? actor.id
    : `address ${addressPrefixOf(request?.address ?? '')}`;
}

/**
 * Who may read the entry. That something lies outside the caller's scope is not for the caller to read, nor for others
 * of its scope: it would tell them that the thing exists.
 */
function scopeOf({ actor }: Cause, code: Refusal['code']): Scope {
  return actor.kind === 'token' && code !== 'outside_scope' ? actor.scope : WHOLE_MESH;
}
