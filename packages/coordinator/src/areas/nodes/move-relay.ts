import { invalid, MeshError } from '@meshwork/contract';
import { carries } from '../../mesh/abilities.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode } from './ask-node.ts';

/** Pins the node to a relay, or leaves the choice to the coordinator again. `areas/relays/assign-relays.ts` assigns it. */
export function moveRelay(call: Call<'nodes.move_relay'>): Promise<Reply<'nodes.move_relay'>> {
  return askNode(call, ({ tx, node }) => {
    const { relay } = call.body;
    if (relay !== null && tx.get('relay', relay) === undefined) {
      throw invalid('/relay', `"${relay}" is not a relay; GET /v1/relays lists them`);
    }
    // Taking the choice back is always possible: nothing has to be carried for that.
    if (relay !== null && !carries(tx, node.id, 'relay')) {
      throw new MeshError('node_state', 'The agent of this node does not send traffic through relays.');
    }
    tx.put('node', node.id, { ...node.body, pinned_relay: relay });
    return { kind: 'move_relay', detail: { relay }, before: { pinned_relay: node.body.pinned_relay } };
  });
}
