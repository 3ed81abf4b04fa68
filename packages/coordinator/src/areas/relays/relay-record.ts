import type { Relay } from '@meshwork/contract';
import { isHealthy } from '../../fleet/relay-health.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** How many nodes are assigned to a relay, by its name. */
export type Loads = (name: string) => number;

export function relayRecord(view: View, relay: Stored<'relay'>, loads: Loads): Relay {
  return {
    name: relay.id,
    ...relay.body,
    healthy: isHealthy(view, relay.body),
    nodes: loads(relay.id),
    revision: relay.revision,
  };
}
