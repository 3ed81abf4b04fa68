import { isOpen, type NodeOperation, utc } from '@meshwork/contract';
import type { Stored } from '../mesh/model.ts';
import { OPERATION_KINDS } from './operation-kinds.ts';

/** An operation as callers see it. */
export function operationRecord({ id, revision, body }: Stored<'operation'>): NodeOperation {
  const {
    kind,
    node,
    node_name,
    state,
    requested_by,
    requested_at,
    delivered_at,
    verified_at,
    ended_at,
    reason,
    detail,
  } = body;
  return {
    id,
    kind,
    node,
    node_name,
    state,
    requested_by,
    requested_at,
    deadline: utc(body.deadline_ms),
    delivered_at,
    verified_at,
    ended_at,
    waits_for: isOpen(state) ? OPERATION_KINDS[kind].waits_for : null,
    reason,
    detail: { ...detail },
    result_bytes: body.result_bytes ?? null,
    revision,
  };
}
