/**
 * Nodes: the hosts of the mesh. Start with `enroll-node.ts` and `node-record.ts`; what can be asked of a node has a file
 * each, and `ask-node.ts` what they have in common. What nodes themselves say is in `areas/agents`.
 */

import type { Mesh } from '../../mesh/mesh.ts';
import { findNode } from '../../mesh/node-state.ts';
import type { Fleet } from '../fleet.ts';
import type { AreaHandlers } from '../handler.ts';
import { AddressPool } from './addresses.ts';
import { approveNode } from './approve-node.ts';
import { approveRoutes } from './approve-routes.ts';
import { diagnoseNode } from './diagnose-node.ts';
import { drainNode, undrainNode } from './drain-node.ts';
import { enrollNode } from './enroll-node.ts';
import { listNodes } from './list-nodes.ts';
import { moveRelay } from './move-relay.ts';
import { nodeRecord } from './node-record.ts';
import { postureOf } from './posture.ts';
import { quarantineNode, releaseNode } from './quarantine-node.ts';
import { rekeyNode } from './rekey-node.ts';
import { removeNode } from './remove-node.ts';
import { retagNode } from './retag-node.ts';

export function nodeHandlers(mesh: Mesh, fleet: Fleet): AreaHandlers<'nodes'> {
  const pool = new AddressPool();
  return {
    'nodes.enroll': (call) => enrollNode({ mesh, fleet, pool }, call),
    'nodes.list': (call) => listNodes(mesh, fleet, call),
    'nodes.show': (call) => {
      const node = findNode(mesh.model, call.params.id, call.actor.scope);
      return { body: nodeRecord({ view: mesh.model, fleet, scope: call.actor.scope }, node), revision: node.revision };
    },
    'nodes.posture': (call) => {
      const node = findNode(mesh.model, call.params.id, call.actor.scope);
      return { body: postureOf(mesh, fleet, node) };
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
