import { covers, type NodeState } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState } from '../../mesh/node-state.ts';
import { VisibleRelays } from '../../mesh/visible-relays.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { nodeRecord } from './node-record.ts';

export function listNodes(runtime: Runtime, call: Call<'nodes.list'>): Reply<'nodes.list'> {
  const { tag, state, relay, standby_relay, nat, service, q } = call.query;
  const { model } = runtime.mesh;
  const part = q?.toLowerCase();
  const relays = new VisibleRelays(model, call.actor.scope);
  const body = pageById('nodes.list', call.query, {
    walk: (after) => model.after('node', after),
    keep: (node: Stored<'node'>) =>
      covers(call.actor.scope, boundaryOfNode(node.body)) &&
      isIn(nodeState(model, node), state) &&
      (tag === undefined || node.body.tags.includes(tag)) &&
      (relay === undefined || relays.shown(model.get('assignment', node.id)?.body.relay) === relay) &&
      (standby_relay === undefined || relays.shown(model.get('assignment', node.id)?.body.standby) === standby_relay) &&
      (nat === undefined || (model.get('report', node.id)?.body.nat ?? 'unknown') === nat) &&
      (service === undefined || hasService(model.get('report', node.id), service)) &&
      (part === undefined || isNamed(node, part)),
    show: (node) => nodeRecord({ view: model, runtime, scope: call.actor.scope }, node),
  });
  return { body };
}

/** Removed nodes are listed only when they are requested. */
function isIn(state: NodeState, wanted: NodeState | undefined): boolean {
  return wanted === undefined ? state !== 'removed' : state === wanted;
}

function hasService(report: Stored<'report'> | undefined, name: string): boolean {
  return report?.body.services.some((service) => service.name === name) === true;
}

function isNamed({ body }: Stored<'node'>, part: string): boolean {
  return body.name.includes(part) || body.address === part || body.address6 === part;
}
