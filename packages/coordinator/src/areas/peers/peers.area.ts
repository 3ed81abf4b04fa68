/** The links between nodes, as both ends see them. What they see is in memory only: it is out of date in a minute. */
import { covers, MeshError, type NodeId, type Scope } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode, findNode } from '../../mesh/node-state.ts';
import { arePeers, peersOfNode } from '../../views/reach.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers, Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { linkOverTime, linkRecord } from './link-record.ts';
import { peerGraph } from './peer-graph.ts';

export const peers: Area<'peers'> = {
  open: () => ({ serve: (runtime) => ({ handlers: handlersOf(runtime) }) }),
};

function handlersOf(runtime: Runtime): AreaHandlers<'peers'> {
  return {
    'peers.list': (call) => listPeers(runtime, call),
    'peers.graph': (call) => ({ body: peerGraph(runtime, call) }),
    'peers.show': (call) => {
      const a = findNode(runtime.mesh.model, call.params.a, call.actor.scope);
      const b = findNode(runtime.mesh.model, call.params.b, call.actor.scope);
      if (!arePeers(runtime.views.reach, a.id as NodeId, b.id as NodeId)) {
        throw new MeshError('not_found', `${a.body.name} and ${b.body.name} are no peers.`);
      }
      const ends = { a, b, now_ms: call.now_ms, scope: call.actor.scope };
      return { body: linkOverTime(runtime.mesh.model, runtime.statuses, ends) };
    },
  };
}

function listPeers(runtime: Runtime, call: Call<'peers.list'>): Reply<'peers.list'> {
  const { model } = runtime.mesh;
  const a = findNode(model, call.query.node, call.actor.scope);
  const { state } = call.query;
  const record = (b: Stored<'node'>) =>
    linkRecord(model, runtime.statuses, { a, b, now_ms: call.now_ms, scope: call.actor.scope });
  const body = pageById('peers.list', call.query, {
    walk: (after) => peersAfter(runtime, a.id as NodeId, after),
    keep: (b: Stored<'node'>) => isInside(call.actor.scope, b) && (state === undefined || record(b).state === state),
    show: record,
  });
  return { body };
}

function* peersAfter(runtime: Runtime, node: NodeId, after: string | undefined): Generator<Stored<'node'>> {
  const ids = [...peersOfNode(runtime.views.reach, node)].filter((id) => after === undefined || id > after).sort();
  for (const id of ids) {
    const peer = runtime.mesh.model.get('node', id);
    if (peer !== undefined) yield peer;
  }
}

function isInside(scope: Scope, node: Stored<'node'>): boolean {
  return covers(scope, boundaryOfNode(node.body));
}
