import { isIP } from 'node:net';
import { MESH_INTERFACE, type NodeId, NODE_TABLE as TABLE, WIREGUARD_PORT } from '@meshwork/contract';
import type { AgentNeeds, NodeInput } from '@meshwork/policy';
import type { View } from '../mesh/model.ts';
import type { NodeStatuses } from './node-statuses.ts';

/** What an agent calls the table that it loads, and the interface of the mesh. */
export const NODE_TABLE = { table: TABLE, meshInterface: MESH_INTERFACE } as const satisfies Partial<NodeInput>;

/** The port of a coordinator without a configured one. */
const DEFAULT_COORDINATOR_PORT = 7400;

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
  readonly #base: AgentNeeds;
  readonly #known = new Map<string, AgentNeeds>();
  readonly #statuses: Pick<NodeStatuses, 'of'>;

  constructor(base: AgentNeeds, view: View, statuses: Pick<NodeStatuses, 'of'>) {
    this.#statuses = statuses;
    const relays = Array.from(view.all('relay'), ({ body: { host, port } }) =>
      isIP(host) === 0 ? { port } : { address: host, port },
    );
    this.#base = relays.length === 0 ? base : { ...base, relays };
  }

  /** The same object for nodes that need the same. */
  of(node: string): AgentNeeds {
    const { address = '', requested_host = '' } = this.#statuses.of(node as NodeId);
    const family = familyOf(address);
    const place = placeOf(requested_host);
    const key = `${family} ${place?.host} ${place?.port}`;
    const known = this.#known.get(key) ?? this.#needs(family, place);
    this.#known.set(key, known);
    return known;
  }

  #needs(family: 4 | 6, place: Place | undefined): AgentNeeds {
    const { coordinator, resolvers, ...rest } = this.#base;
    const base = { ...coordinator, ...(family === 6 ? { family } : {}), ...(place && { port: place.port }) };
    // One that knows the coordinator by address has no need for a resolver.
    if (place !== undefined && isIP(place.host) !== 0) {
      return { ...rest, coordinator: { addresses: [place.host], port: place.port } };
    }
    return { ...rest, coordinator: base, ...(resolvers === undefined ? {} : { resolvers }) };
  }
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Who comes from loopback comes through a proxy beside us, which says nothing about the node. */
function familyOf(address: string): 4 | 6 {
  return isIP(address) === 6 && address !== '::1' && !address.startsWith('::ffff:') ? 6 : 4;
}

/** Where the agent goes, by what it calls us. Undefined: unknown, or a proxy beside us wrote its own name for us there. */
function placeOf(requested_host: string): Place | undefined {
  const url = requested_host === '' ? null : URL.parse(`https://${requested_host}`); // without a port it is that of HTTPS
  if (url === null) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined;
  return { host, port: url.port === '' ? 443 : Number(url.port) };
}
