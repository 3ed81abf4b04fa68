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
  for (const node of mesh.model.all('node')) {
    if (differs(mesh.model, statuses, node)) changed.push(node.id as NodeId);
  }
  while (changed.length > 0) {
    const some = changed.splice(0, AT_ONCE);
    await mesh.transact(cause, (tx) => {
      for (const id of some) write(tx, statuses, id);
    });
  }
}

function differs(view: View, statuses: NodeStatuses, node: Stored<'node'>): boolean {
  if (node.body.removed_at !== null) return false;
  return overdue(view, statuses, node.id as NodeId) !== view.get('liveness', node.id)?.body.state;
}

function overdue(view: View, statuses: NodeStatuses, id: NodeId): Overdue | undefined {
  const { stale_after_s, unreachable_after_s } = settingsOf(view).nodes;
  const silent_s = statuses.silent_ms(id) / 1000;
  if (silent_s > unreachable_after_s) return 'unreachable';
  return silent_s > stale_after_s ? 'stale' : undefined;
}

/** Looked at again: a heartbeat may have come meanwhile. */
function write(tx: Transaction, statuses: NodeStatuses, id: NodeId): void {
  const node = tx.get('node', id);
  if (node === undefined || !differs(tx, statuses, node)) return;
  const state = overdue(tx, statuses, id);
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
