import type { RelayDocument } from '../mesh/kinds.ts';
import type { View } from '../mesh/model.ts';
import { mayServe } from '../mesh/node-state.ts';

/** A relay is as well as the node that runs it. */
export function isHealthy(view: View, relay: RelayDocument): boolean {
  const node = view.get('node', relay.node);
  return node !== undefined && mayServe(view, node);
}
