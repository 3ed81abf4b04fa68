import type { NodeId } from '@meshwork/contract';
import type { RelayDocument } from '../kinds/relays.ts';
import { carries } from '../mesh/abilities.ts';
import type { Stored, View } from '../mesh/model.ts';
import { isFresh, isMember, mayServe, nodeState } from '../mesh/node-state.ts';
import type { RelayProofs } from './relay-proofs.ts';

type Proofs = Pick<RelayProofs, 'nodesOf' | 'problemWith'>;

/**
 * A relay is healthy when it is proven to be: a fresh node reports in its newest measurement that a packet came back that it
 * had sent to itself through the relay. Agents try that every 30 s and report with the next heartbeat, and a node whose
 * heartbeat is overdue does not count, so a relay that carries nothing any more is unhealthy within a minute, or once its last
 * witness is stale. What its own node reports proves nothing: it may reach itself where no other node can.
 */
export function isHealthy(view: View, relay: Stored<'relay'>, proofs: Proofs): boolean {
  return isRun(view, relay.body) && witnesses(view, relay, proofs).next().done !== true;
}

/** Why it is healthy, or why it is not. */
export function healthOf(view: View, relay: Stored<'relay'>, proofs: Proofs): string {
  const { node, host, port } = relay.body;
  if (node !== null) {
    const runs = view.get('node', node);
    if (runs === undefined) return 'Its node is not in the mesh.';
    if (!mayServe(view, runs)) return `Its node ${runs.body.name} is ${nodeState(view, runs)}.`;
  }
  const count = [...witnesses(view, relay, proofs)].length;
  if (count > 0) return `Proven by ${count} ${count === 1 ? 'node' : 'nodes'}.`;
  if (node !== null && !carries(view, node, 'relay_server')) return 'The agent of its node is too old to run a relay.';
  const found = proofs.problemWith(relay.id);
  const witness = found === undefined ? undefined : view.get('node', found.node)?.body.name;
  if (found !== undefined && witness !== undefined) return `No node can send through it. ${witness}: ${found.problem}.`;
  return `No other node has sent a packet through it, at ${host}, port ${port}.`;
}

/** Whether the node that runs it is there, if it is ours to say. */
function isRun(view: View, { node }: RelayDocument): boolean {
  if (node === null) return true;
  const runs = view.get('node', node);
  return runs !== undefined && mayServe(view, runs);
}

function* witnesses(view: View, { id, body }: Stored<'relay'>, proofs: Proofs): Generator<NodeId> {
  for (const node of proofs.nodesOf(id)) {
    const stored = node === body.node ? undefined : view.get('node', node);
    if (stored !== undefined && isMember(stored.body) && isFresh(view, node)) yield node;
  }
}
