import type { IngressId, NodeId } from '@meshwork/contract';

/** What a node measured to the relays, by their names. Those it said nothing about are absent. */
export interface RoundTrips {
  of(node: NodeId): ReadonlyMap<string, number>;
}

/** What gateways say of the connections through an ingress. */
export interface ConnectionCounts {
  /** Those that are open. Null: the gateway has not said, which is not the same as none. */
  connections(node: NodeId, ingress: IngressId): number | null;
  /** Whether the gateway takes no new one, and has none left. A count from before it refused them says nothing. */
  isDrained(node: NodeId, ingress: IngressId): boolean;
  /** Whether it says that it takes no new one. */
  refuses(node: NodeId, ingress: IngressId): boolean;
  /** How many it has ended at a deadline, and at which: none is known of a gateway that has not said. */
  ended(node: NodeId, ingress: IngressId): { readonly cut: number; readonly deadline: string | null };
}
