import { type NodeId, utc } from '@meshwork/contract';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { aboutNode, nodeState } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';

/** In one transaction: other changes wait for it. */
const AT_ONCE = 500;
const cause = { actor: COORDINATOR, action: 'nodes.mark_overdue' };

type Overdue = 'stale' | 'unreachable';

/**
 * Marks nodes stale, then unreachable, by how long they have been silent in listening time. A heartbeat itself writes
 * that its node has recovered; here that is written only when another coordinator received the heartbeat and did not.
 */
export async function markOverdue(mesh: Mesh, statuses: NodeStatuses): Promise<void> {
  const changed: NodeId[] = [];
  const limits = limitsNow(mesh.model, statuses);
  for (const node of mesh.model.all('node')) {
    if (differs(mesh.model, statuses, node, limits)) changed.push(node.id as NodeId);
  }
  while (changed.length > 0) {
    const some = changed.splice(0, AT_ONCE);
    await mesh.transact(cause, (tx) => {
      const now = limitsNow(tx, statuses);
      for (const id of some) write(tx, statuses, id, now);
    });
  }
}

/** The moments, in listening time, before which a node that is overdue was last heard. */
interface Limits {
  readonly stale: number;
  readonly unreachable: number;
}

/** Read once for all nodes: there may be many. */
function limitsNow(view: View, statuses: NodeStatuses): Limits {
  const { stale_after_s, unreachable_after_s } = settingsOf(view).nodes;
  const now = statuses.now();
  return { stale: now - stale_after_s * 1000, unreachable: now - unreachable_after_s * 1000 };
}

function differs(view: View, statuses: NodeStatuses, node: Stored<'node'>, limits: Limits): boolean {
  if (node.body.removed_at !== null) return false;
  return overdue(statuses, node.id as NodeId, limits) !== view.get('liveness', node.id)?.body.state;
}

function overdue(statuses: NodeStatuses, id: NodeId, limits: Limits): Overdue | undefined {
  const { seen_at } = statuses.of(id);
  if (seen_at < limits.unreachable) return 'unreachable';
  return seen_at < limits.stale ? 'stale' : undefined;
}

/** Looked at again: a heartbeat may have come meanwhile. */
function write(tx: Transaction, statuses: NodeStatuses, id: NodeId, limits: Limits): void {
  const node = tx.get('node', id);
  if (node === undefined || !differs(tx, statuses, node, limits)) return;
  const state = overdue(statuses, id, limits);
  const about = aboutNode(node);
  const { heartbeat_ms } = statuses.of(id);
  const heartbeat = heartbeat_ms === undefined ? null : utc(heartbeat_ms);
  const { name } = node.body;
  if (state === undefined) {
    tx.delete('liveness', id);
    tx.emit({ ...about, type: 'node.recovered', data: { name, state: nodeState(tx, node), heartbeat } });
    return;
  }
  tx.put('liveness', id, { state, since: utc(tx.now_ms) });
  tx.emit({ ...about, type: state === 'stale' ? 'node.stale' : 'node.unreachable', data: { name, state, heartbeat } });
}
