import { isOpen, type NodeId } from '@meshwork/contract';
import type { OperationDocument } from '../../kinds/operations.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { isMember } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { OPERATION_KINDS } from '../../operations/operation-kinds.ts';
import { endOperation } from '../../operations/operations.ts';
import { isInEffect } from '../../operations/shown.ts';
import type { NodeViews } from '../../views/node-views.ts';

interface Sources {
  readonly views: NodeViews;
  readonly statuses: NodeStatuses;
}

const AT_ONCE = 200;
/** Peers that are named when they are what is missing; there may be many. */
const NAMED = 5;
const cause = { actor: COORDINATOR, action: 'fleet.end_operations' };

/**
 * Ends operations that no heartbeat of their own node can end: those that peers have to prove, once all of them did,
 * and those that were not proven in time.
 */
export async function endOperations(mesh: Mesh, sources: Sources, open: Iterable<string>): Promise<void> {
  const now_ms = mesh.clock.now();
  const due = [...open].filter((id) => {
    const operation = mesh.model.get('operation', id);
    return operation !== undefined && endOf(mesh.model, sources, operation, now_ms) !== undefined;
  });
  while (due.length > 0) {
    const some = due.splice(0, AT_ONCE);
    await mesh.transact(cause, (tx) => endSome(tx, sources, some));
  }
}

type End = 'verified' | 'timed_out';

function endOf(view: View, sources: Sources, { body }: Stored<'operation'>, now_ms: number): End | undefined {
  if (!isOpen(body.state)) return undefined;
  if (OPERATION_KINDS[body.kind].witness === 'peers' && haveLetGo(view, sources, body.node, body.requested_revision)) {
    return 'verified';
  }
  return now_ms >= body.deadline_ms && couldProve(view, sources) ? 'timed_out' : undefined;
}

/**
 * A deadline may have passed while no coordinator was listening: the nodes get two heartbeats to prove it after all.
 */
function couldProve(view: View, { statuses }: Sources): boolean {
  return statuses.listened_ms() >= 2000 * settingsOf(view).nodes.heartbeat_interval_s;
}

/**
 * Whether every peer that is not overdue has a view without the node in effect. One that is overdue cannot say, and
 * receives that before anything else. After a restart it is unknown who the peers were: then every node counts.
 */
function haveLetGo(view: View, sources: Sources, node: NodeId, revision: number): boolean {
  return holdingOn(view, sources, node, revision).next().done === true;
}

/** Names of those that have not. */
function* holdingOn(view: View, { views, statuses }: Sources, node: NodeId, revision: number): Generator<string> {
  for (const id of views.lettingGoOf(node) ?? allNodes(view)) {
    const peer = view.get('node', id);
    if (peer === undefined || !isMember(peer.body) || view.get('liveness', id) !== undefined) continue;
    if (!isInEffect(views, id, statuses.of(id), 'peers', revision)) yield peer.body.name;
  }
}

/** What was missing in the end. */
function whyNot(view: View, sources: Sources, { kind, node, requested_revision }: OperationDocument): string {
  const { waits_for, witness } = OPERATION_KINDS[kind];
  if (witness === 'node') return `not in time: ${waits_for}`;
  const names = holdingOn(view, sources, node, requested_revision).take(NAMED).toArray();
  return `not in time: ${waits_for}; not by ${names.join(', ')}${names.length === NAMED ? ' …' : ''}`;
}

function* allNodes(view: View): Generator<NodeId> {
  for (const { id } of view.all('node')) yield id as NodeId;
}

function endSome(tx: Transaction, sources: Sources, ids: readonly string[]): void {
  const ended: Stored<'operation'>[] = [];
  for (const id of ids) {
    const operation = tx.get('operation', id);
    const end = operation === undefined ? undefined : endOf(tx, sources, operation, tx.now_ms);
    if (operation === undefined || end === undefined) continue;
    const reason = end === 'timed_out' ? whyNot(tx, sources, operation.body) : null;
    ended.push(endOperation(tx, operation, end, reason));
  }
  const [only] = ended;
  if (only === undefined) return;
  const detail = ended.map(({ id, body }) => `${id} is ${body.state}`).join('; ');
  const isOne = ended.length === 1;
  tx.record({
    target: isOne ? { kind: 'operation', id: only.id } : null,
    ...(isOne ? { scope: only.body.scope } : {}),
    detail,
    count: ended.length,
  });
}
