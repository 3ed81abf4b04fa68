import { MESH_INTERFACE, NODE_TABLE as TABLE, WIREGUARD_PORT } from '@meshwork/contract';
import type { AgentNeeds, NodeInput } from '@meshwork/policy';

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
