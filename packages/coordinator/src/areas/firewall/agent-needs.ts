import { isIP } from 'node:net';
import { MESH_INTERFACE, type NodeId, NODE_TABLE as TABLE, WIREGUARD_PORT } from '@meshwork/contract';
import type { AgentNeeds, NodeInput } from '@meshwork/policy';
import type { Sightings } from '../../fleet/sightings.ts';
import type { View } from '../../mesh/model.ts';

/** What an agent calls the table that it loads, and the interface of the mesh. */
export const NODE_TABLE = { table: TABLE, meshInterface: MESH_INTERFACE } as const satisfies Partial<NodeInput>;

/** Where the coordinator listens when nobody says otherwise. */
export const DEFAULT_COORDINATOR_PORT = 7400;

/**
 * What host rules must leave to agents. They know their coordinator by a name, so it can be anywhere. A port of 0 is any
 * that is free, and says nothing about where agents go.
 */
export function agentNeeds(coordinatorPort = DEFAULT_COORDINATOR_PORT): AgentNeeds {
  return {
    coordinator: { addresses: [], port: coordinatorPort === 0 ? DEFAULT_COORDINATOR_PORT : coordinatorPort },
    resolvers: [],
    listenPort: WIREGUARD_PORT,
  };
}

/** What each node needs, from what is known of it: the relays there are, and how its agent comes to the coordinator. */
export class NodeNeeds {
  readonly #byFamily = new Map<4 | 6, AgentNeeds>();
  readonly #sightings: Pick<Sightings, 'of'>;

  constructor(base: AgentNeeds, view: View, sightings: Pick<Sightings, 'of'>) {
    this.#sightings = sightings;
    const relays = Array.from(view.all('relay'), ({ body: { host, port } }) =>
      isIP(host) === 0 ? { port } : { address: host, port },
    );
    for (const family of [4, 6] as const) {
      const coordinator = family === 4 ? base.coordinator : { ...base.coordinator, family };
      this.#byFamily.set(family, { ...base, coordinator, ...(relays.length === 0 ? {} : { relays }) });
    }
  }

  /** The same object for nodes that need the same. */
  of(node: string): AgentNeeds {
    const { address = '' } = this.#sightings.of(node as NodeId);
    // One that comes from loopback comes through a proxy beside us, which says nothing about the node.
    const family = isIP(address) === 6 && address !== '::1' && !address.startsWith('::ffff:') ? 6 : 4;
    return this.#byFamily.get(family) as AgentNeeds;
  }
}
