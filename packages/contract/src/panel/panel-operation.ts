import type { ErrorCode } from '../error-table.ts';
import { type HttpOperation, isMutation, takesIfMatch } from '../operation.ts';
import { isPermission, type Permission } from '../permissions.ts';

/**
 * Who may call. `anyone`: also without a session. `halfway`: a session with a correct password that still lacks the second
 * factor. `signed_in`: any person, about themselves. A permission: a person whose role has it, or a scoped token of the
 * coordinator that has it, each within their scope.
 */
export type PanelAccess = 'anyone' | 'halfway' | 'signed_in' | Permission;

/**
 * One endpoint of the panel. Everything the panel serves by itself stands in such rows; whatever the coordinator serves is
 * passed on below `/api/v1/coordinator/` as its own table says.
 */
export interface PanelOperation extends HttpOperation {
  readonly access: PanelAccess;
  /** What a scoped token needs where people need no permission. Absent: what `access` says, or no token may call. */
  readonly token?: Permission;
  /** `mesh`: affects every boundary, so the caller's scope must be `*` in all three. `scoped`: only what lies inside it. Absent: the caller's account. */
  readonly reach?: 'scoped' | 'mesh';
}

/** The permission with which a scoped token may call. Undefined: only people may. */
export function tokenPermissionOf({ access, token }: Pick<PanelOperation, 'access' | 'token'>): Permission | undefined {
  if (token !== undefined) return token;
  return isPermission(access) ? access : undefined;
}

export function definePanelOperations<const T extends Record<`${string}.${string}`, PanelOperation>>(table: T): T {
  return table;
}

/** Every code this operation can answer with: its own, and those that follow from its shape. */
export function panelErrorsOf(operation: PanelOperation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  add('malformed_request', 'internal', 'shutting_down', 'rate_limited', 'invalid');
  if (operation.access !== 'anyone') add('sign_in_required');
  if (tokenPermissionOf(operation) !== undefined) {
    add('credentials_invalid', 'token_expired', 'token_retired', 'token_revoked');
    add('permission_denied', 'coordinator_unavailable');
  }
  if (operation.reach === 'mesh') add('mesh_scope_required');
  if (operation.confirmed === true) add('confirmation_required');
  if (operation.params !== undefined) add('not_found');
  if (operation.body !== undefined) add('malformed_json', 'body_too_large', 'unsupported_media_type');
  else add('unexpected_body');
  if (isMutation(operation)) add('csrf_failed', 'origin_refused', 'busy', 'store_unavailable', 'outcome_unknown');
  if (takesIfMatch(operation)) add('revision_mismatch');
  return [...codes];
}
