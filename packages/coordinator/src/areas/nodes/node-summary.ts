import { NODE_STATES, type NodeState, PRESENT_STATES, type PresentState } from '@meshwork/contract';
import type { Model } from '../../mesh/model.ts';
import { nodeState } from '../../mesh/node-state.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import type { Facts, Figures, Summarizes } from '../summary.ts';
import { nodeAttention } from './node-attention.ts';

export function nodeSummary(statuses: NodeStatuses): Summarizes {
  return {
    permitted_by: 'nodes.list',
    summarize: (facts) => ({ figures: { nodes: countNodes(facts) }, attention: nodeAttention(facts, statuses) }),
  };
}

function countNodes({ model, nodes }: Facts): Figures['nodes'] {
  const by_state = Object.fromEntries(PRESENT_STATES.map((state) => [state, 0])) as Record<PresentState, number>;
  let drifting = 0;
  for (const { node, state } of nodes) {
    by_state[state] += 1;
    if (model.get('drift', node.id) !== undefined) drifting += 1;
  }
  return { total: nodes.length, by_state, drifting, pending: by_state.pending };
}

/** All nodes of the mesh, for the metrics. */
export function countByState(model: Model): ReadonlyMap<NodeState, number> {
  const counts = new Map(NODE_STATES.map((state) => [state, 0]));
  for (const node of model.all('node')) {
    const state = nodeState(model, node);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
}
