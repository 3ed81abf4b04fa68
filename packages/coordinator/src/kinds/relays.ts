import type { NodeId, Relay } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** The id is its name. What may be absent is so in those of older versions. */
export interface RelayDocument {
  /** Null: it is external. */
  readonly node: NodeId | null;
  readonly host: string;
  readonly port: number;
  /** Absent or null: none. */
  readonly tls_port?: number | null;
  /** Absent: `mesh`. */
  readonly certificate?: Relay['certificate'];
  /** Absent or null: not said. */
  readonly site?: string | null;
  readonly capacity: number;
  readonly draining: boolean;
  readonly created_at: string;
  /** Of an external one: what it shares with us, sealed for `relay/NAME`. Absent: it follows from a data key. */
  readonly secret?: string;
  /** Rises when a secret that follows from a data key has to be another, because another node runs it. Absent: 0. */
  readonly epoch?: number;
}

/** The relays of a node. Same id as the node. Absent: it has none. */
export interface AssignmentDocument {
  readonly relay: string;
  /** What takes over when that one is lost. Absent or null: none. */
  readonly standby?: string | null;
  /** Whether the node had measured its way to the relays by then. One that had not is chosen for once more when it has. */
  readonly measured: boolean;
  /** Why that relay, in words. Absent in those of older versions. */
  readonly why?: string;
  /** When it became the relay of the node. Absent likewise. */
  readonly chosen_at?: string;
}

export interface RelayDocuments {
  readonly relay: RelayDocument;
  readonly assignment: AssignmentDocument;
}

export const relayKinds: KindRows<RelayDocuments> = {
  relay: { audited: true, secret: ['secret'], restorable: true },
  assignment: { audited: false, secret: [], restorable: false },
};
