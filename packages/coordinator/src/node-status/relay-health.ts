import type { NodeId } from '@meshwork/contract';
import type { RelayDocument } from '../kinds/relays.ts';
import type { Stored, View } from '../mesh/model.ts';
import { isFresh, isMember, mayServe, nodeState } from '../mesh/node-state.ts';
import type { RelayMeasurements } from './relay-measurements.ts';

type Measurements = Pick<RelayMeasurements, 'nodesOf'>;

/**
 * A relay is healthy when it is proven to be: a fresh node reports a STUN answer of it in its newest measurement.
 * Agents measure every 30 s and report with the next heartbeat, and a node whose heartbeat is overdue does not count,
 * so a relay that stops answering is unhealthy within a minute, or once its last witness is stale. What its own node
 * reports proves nothing: it may reach itself where no other node can.
 */
export function isHealthy(view: View, relay: Stored<'relay'>, measurements: Measurements): boolean {
  return canRun(view, relay.body) && witnesses(view, relay, measurements).next().done !== true;
}

/** Why it is healthy, or why it is not. */
export function healthOf(view: View, relay: Stored<'relay'>, measurements: Measurements): string {
  const { node, host, port } = relay.body;
  const runs = view.get('node', node);
  if (runs === undefined) return 'Its node is not in the mesh.';
  if (!mayServe(view, runs)) return `Its node ${runs.body.name} is ${nodeState(view, runs)}.`;
  const count = [...witnesses(view, relay, measurements)].length;
  if (count === 0) return `No other node has a STUN answer from ${host}, UDP port ${port}.`;
  return `Measured by ${count} ${count === 1 ? 'node' : 'nodes'}.`;
}

function canRun(view: View, { node }: RelayDocument): boolean {
  const runs = view.get('node', node);
  return runs !== undefined && mayServe(view, runs);
}

function* witnesses(view: View, { id, body }: Stored<'relay'>, measurements: Measurements): Generator<NodeId> {
  for (const node of measurements.nodesOf(id)) {
    const stored = node === body.node ? undefined : view.get('node', node);
    if (stored !== undefined && isMember(stored.body) && isFresh(view, node)) yield node;
  }
}
