import { isOpen } from '@meshwork/contract';
import type { NodeDocument } from '../../kinds/nodes.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import { ownershipInEffect } from '../../mesh/ownership-in-effect.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';

const DAY_MS = 24 * 3600 * 1000;
/** In one transaction: the trail has each of them once more, in the one entry that says they went. */
const AT_ONCE = 100;
/** What is kept beside a node, under its id. */
const BESIDE = [
  'report',
  'liveness',
  'drift',
  'repair',
  'rollback',
  'section_time',
  'proof',
  'node_certificate',
  'gateway_certificate',
] as const;

/** Removes the records of nodes that were removed longer ago than the settings keep them. */
export async function forgetNodes(mesh: Mesh): Promise<void> {
  const { removed_kept_days } = settingsOf(mesh.model).nodes;
  const before_ms = mesh.clock.now() - removed_kept_days * DAY_MS;
  const busy = busyNodes(mesh.model);
  const gone = [...mesh.model.all('node')].filter((node) => isPast(node, before_ms) && !busy.has(node.id));
  while (gone.length > 0) {
    const some = gone.splice(0, AT_ONCE);
    await mesh.transact({ actor: COORDINATOR, action: 'nodes.forget' }, (tx) => {
      for (const { id, body } of some) {
        keepName(tx, body);
        tx.delete('node', id);
        for (const kind of BESIDE) tx.delete(kind, id);
      }
      const detail = `${some.length} nodes that were removed more than ${removed_kept_days} days ago`;
      tx.record({ target: null, detail, count: some.length });
    });
  }
}

/** So that a name that the policy mentions is not given to another boundary after its node is forgotten. */
function keepName(tx: Transaction, node: NodeDocument): void {
  const { name, removed_at } = node;
  if (removed_at === null || !ownershipInEffect(tx).mentionsName(name)) return;
  const kept = tx.get('former_name', name)?.body;
  if (kept !== undefined && Date.parse(kept.removed_at) >= Date.parse(removed_at)) return;
  tx.put('former_name', name, { boundary: boundaryOfNode(node), removed_at });
}

/** Removal is for good, so that it need not be looked at once more. */
function isPast({ body }: Stored<'node'>, before_ms: number): boolean {
  return body.removed_at !== null && Date.parse(body.removed_at) <= before_ms;
}

/** Those with an operation under way, which still has to see its node: mostly the removal itself. */
function busyNodes(view: View): ReadonlySet<string> {
  const busy = new Set<string>();
  for (const { body } of view.all('operation')) if (isOpen(body.state)) busy.add(body.node);
  return busy;
}
