import { type AuditBody, newId } from '@meshwork/contract';
import type { Append } from '@meshwork/store';
import { KINDS, redacted } from '../kinds/kinds.ts';
import { type Actor, refOf } from './actor.ts';
import type { AuditDetails, TrackedPut } from './transaction.ts';

/** The log that the audit trail is kept in. */
export const AUDIT_LOG = 'audit';

/** Where a change comes from: who, by which operation, in which request. */
export interface Cause {
  readonly actor: Actor;
  /** The operation, or a name for what the coordinator does by itself. */
  readonly action: string;
  /** Absent: no request, the coordinator acted by itself. */
  readonly request?: { readonly id: string; readonly address: string };
}

/** Turns what a transaction did into the log entry that is committed with it. */
export function auditEntry(
  cause: Cause,
  details: AuditDetails,
  changes: readonly TrackedPut[],
  now_ms: number,
): Append {
  const actor = details.by?.actor ?? refOf(cause.actor);
  const body: AuditBody = {
    id: newId('audit', now_ms),
    at: new Date(now_ms).toISOString(),
    action: cause.action,
    outcome: details.outcome,
    code: details.code,
    count: details.count,
    ...(details.first_at === undefined ? {} : { first_at: details.first_at }),
    ...(details.last_at === undefined ? {} : { last_at: details.last_at }),
    actor,
    token: cause.actor.kind === 'token' ? cause.actor.id : null,
    target: details.target,
    scope: details.scope,
    request_id: cause.request?.id ?? null,
    address: details.by === undefined ? addressOf(cause) : details.by.address,
    detail: details.detail,
    changes: details.changes ?? changesOf(changes),
  };
  return {
    log: AUDIT_LOG,
    id: body.id,
    at_ms: now_ms,
    actor: actor.id,
    action: cause.action,
    target: details.target?.id ?? null,
    body: JSON.stringify(body),
    chained: true,
  };
}

/** The address of the actor. For a person that is not the address of the panel, which only passes requests on. */
function addressOf({ actor, request }: Cause): string | null {
  if (actor.kind === 'token' && actor.on_behalf_of !== null) return actor.address;
  return request?.address ?? null;
}

function changesOf(changes: readonly TrackedPut[]): AuditBody['changes'] {
  return changes
    .filter(({ kind }) => KINDS[kind].audited)
    .map(({ kind, id, before, body: after }) => ({
      kind,
      id,
      before: before === undefined ? null : redacted(kind, before.body),
      after: after === null ? null : redacted(kind, after),
    }));
}
