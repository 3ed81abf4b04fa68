import type { Relay } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { healthOf, isHealthy } from '../../node-status/relay-health.ts';

/** What is known of relays beyond their documents. */
export interface RelaySources {
  /** How many nodes are assigned to a relay. */
  load(name: string): number;
  /** How many nodes it is the standby of. */
  standbys(name: string): number;
  readonly statuses: Pick<NodeStatuses, 'of' | 'proofs'>;
}

export function relayRecord(view: View, relay: Stored<'relay'>, { load, standbys, statuses }: RelaySources): Relay {
  const { node, host, port, tls_port = null, certificate = 'mesh', site = null } = relay.body;
  const { capacity, draining, created_at } = relay.body;
  return {
    name: relay.id,
    kind: node === null ? 'external' : 'node',
    node,
    host,
    port,
    tls_port,
    certificate,
    site,
    capacity,
    draining,
    healthy: isHealthy(view, relay, statuses.proofs),
    health: healthOf(view, relay, statuses.proofs),
    nodes: load(relay.id),
    standbys: standbys(relay.id),
    load: node === null ? null : (statuses.of(node).observed.relay_load ?? null),
    created_at,
    revision: relay.revision,
  };
}
