import type { IngressId, NodeId } from '@meshwork/contract';

/** What a node measured to the relays, by their names. Those it said nothing about are absent. */
export interface RoundTrips {
  of(node: NodeId): ReadonlyMap<string, number>;
}

/** Open connections through an ingress on one gateway. Null: the gateway has not said, which is not the same as none. */
export interface ConnectionCounts {
  connections(node: NodeId, ingress: IngressId): number | null;
}
