/**
 * Nodes: the hosts of the mesh. Start with `enroll-node.ts` and `node-record.ts`; what can be asked of a node has a file
 * each, and `ask-node.ts` what they have in common. What nodes themselves say is in `areas/agents`.
 */

import { periodic } from '../../duties/duty.ts';
import { findNode } from '../../mesh/node-state.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { AddressPool } from './addresses.ts';
import { approveNode } from './approve-node.ts';
import { approveRoutes } from './approve-routes.ts';
import { diagnoseNode } from './diagnose-node.ts';
import { drainNode, undrainNode } from './drain-node.ts';
import { enrollNode } from './enroll-node.ts';
import { forgetNodes } from './forget-nodes.ts';
import { listNodes } from './list-nodes.ts';
import { markOverdue } from './mark-overdue.ts';
import { moveRelay } from './move-relay.ts';
import { nodeRecord } from './node-record.ts';
import { countByState, nodeSummary } from './node-summary.ts';
import { postureOf } from './posture.ts';
import { quarantineNode, releaseNode } from './quarantine-node.ts';
import { rekeyNode } from './rekey-node.ts';
import { removeNode } from './remove-node.ts';
import { retagNode } from './retag-node.ts';
import { selfSection } from './self-section.ts';

export const nodes: Area<'nodes'> = {
  open: ({ model, routes }) => ({
    sections: { self: selfSection(model, routes) },
    serve: (runtime) => {
      const { mesh, statuses } = runtime;
      return {
        handlers: handlersOf(runtime),
        duties: [
          periodic('nodes.mark_overdue', 1, () => markOverdue(mesh, statuses)),
          periodic('nodes.forget', 3600, () => forgetNodes(mesh)),
        ],
        overview: nodeSummary(statuses),
        gauges: (metrics) => {
          const states = { name: 'mesh_coordinator_nodes', help: 'Nodes, by state.', label: 'state' };
          metrics.gauges(states, () => countByState(model));
        },
      };
    },
  }),
};

function handlersOf(runtime: Runtime): AreaHandlers<'nodes'> {
  const { model } = runtime.mesh;
  const pool = new AddressPool();
  return {
    'nodes.enroll': (call) => enrollNode(runtime, pool, call),
    'nodes.list': (call) => listNodes(runtime, call),
    'nodes.show': (call) => {
      const node = findNode(model, call.params.id, call.actor.scope);
      return { body: nodeRecord({ view: model, runtime, scope: call.actor.scope }, node), revision: node.revision };
    },
    'nodes.posture': (call) => {
      const node = findNode(model, call.params.id, call.actor.scope);
      return { body: postureOf(runtime, call.actor.scope, node) };
    },
    'nodes.remove': removeNode,
    'nodes.approve': approveNode,
    'nodes.rekey': rekeyNode,
    'nodes.diagnose': diagnoseNode,
    'nodes.retag': retagNode,
    'nodes.move_relay': moveRelay,
    'nodes.approve_routes': approveRoutes,
    'nodes.drain': drainNode,
    'nodes.undrain': undrainNode,
    'nodes.quarantine': quarantineNode,
    'nodes.release': releaseNode,
  };
}
