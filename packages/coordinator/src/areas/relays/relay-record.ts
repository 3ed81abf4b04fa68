import type { Relay } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { healthOf, isHealthy } from '../../node-status/relay-health.ts';
import type { RelayMeasurements } from '../../node-status/relay-measurements.ts';

/** What is known of relays beyond their documents. */
export interface RelaySources {
  /** How many nodes are assigned to a relay. */
  load(name: string): number;
  readonly measurements: RelayMeasurements;
}

export function relayRecord(view: View, relay: Stored<'relay'>, { load, measurements }: RelaySources): Relay {
  return {
    name: relay.id,
    ...relay.body,
    healthy: isHealthy(view, relay, measurements),
    health: healthOf(view, relay, measurements),
    nodes: load(relay.id),
    revision: relay.revision,
  };
}
