import { invalid, MeshError, type NodeId } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { nodeNamed } from '../../mesh/node-state.ts';

/** Relays are shared by the whole mesh: a caller that may read them may read all. */
export function findRelay(view: View, name: string): Stored<'relay'> {
  const relay = view.get('relay', name);
  if (relay === undefined) throw new MeshError('not_found', `There is no relay "${name}".`);
  return relay;
}

/**
 * The node that is to run a relay, by id or name. It may be overdue or quarantined: then the relay is not healthy yet. An agent
 * runs one relay.
 */
export function runningNode(view: View, text: string, relay: string): NodeId {
  const node = nodeNamed(view, text);
  if (node === undefined || node.body.removed_at !== null) throw invalid('/node', `"${text}" is not a node`);
  if (node.body.approved_at === null) throw invalid('/node', `"${text}" is pending; approve it first`);
  for (const other of view.all('relay')) {
    if (other.id === relay || other.body.node !== node.id) continue;
    throw invalid('/node', `"${text}" runs the relay ${other.id} already`);
  }
  return node.id as NodeId;
}
