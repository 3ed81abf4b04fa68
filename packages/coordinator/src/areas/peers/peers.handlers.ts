/** The links between nodes, as both ends see them. What they see is in memory only: it is out of date in a minute. */
import { covers, MeshError, type NodeId, type Scope } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode, findNode } from '../../mesh/node-state.ts';
import { arePeers, peersOfNode } from '../../views/reach.ts';
import type { Fleet } from '../fleet.ts';
import type { AreaHandlers, Call, Reply } from '../handler.ts';
import { pageById } from '../pages.ts';
import { linkRecord } from './link-record.ts';
import { peerGraph } from './peer-graph.ts';

export function peerHandlers(mesh: Mesh, fleet: Fleet): AreaHandlers<'peers'> {
  return {
    'peers.list': (call) => listPeers(mesh, fleet, call),
    'peers.graph': (call) => ({ body: peerGraph(mesh, fleet, call) }),
    'peers.show': (call) => {
      const a = findNode(mesh.model, call.params.a, call.actor.scope);
      const b = findNode(mesh.model, call.params.b, call.actor.scope);
      if (!arePeers(fleet.views.reach, a.id as NodeId, b.id as NodeId)) {
        throw new MeshError('not_found', `${a.body.name} and ${b.body.name} are no peers.`);
      }
      return { body: linkRecord(mesh.model, fleet.sightings, { a, b, now_ms: call.now_ms }) };
    },
  };
}

function listPeers(mesh: Mesh, fleet: Fleet, call: Call<'peers.list'>): Reply<'peers.list'> {
  const { model } = mesh;
  const a = findNode(model, call.query.node, call.actor.scope);
  const { state } = call.query;
  const record = (b: Stored<'node'>) => linkRecord(model, fleet.sightings, { a, b, now_ms: call.now_ms });
  const body = pageById('peers.list', call.query, {
    walk: (after) => peersAfter(mesh, fleet, a.id as NodeId, after),
    keep: (b: Stored<'node'>) => isInside(call.actor.scope, b) && (state === undefined || record(b).state === state),
    show: record,
  });
  return { body };
}

function* peersAfter(mesh: Mesh, fleet: Fleet, node: NodeId, after: string | undefined): Generator<Stored<'node'>> {
  const ids = [...peersOfNode(fleet.views.reach, node)].filter((id) => after === undefined || id > after).sort();
  for (const id of ids) {
    const peer = mesh.model.get('node', id);
    if (peer !== undefined) yield peer;
  }
}

function isInside(scope: Scope, node: Stored<'node'>): boolean {
  return covers(scope, boundaryOfNode(node.body));
}
