import type { NodeId } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** The id is its name. */
export interface RelayDocument {
  readonly node: NodeId;
  readonly host: string;
  readonly port: number;
  readonly capacity: number;
  readonly draining: boolean;
  readonly created_at: string;
}

/** The relay of a node. Same id as the node. Absent: it has none. */
export interface AssignmentDocument {
  readonly relay: string;
  /** Whether the node had measured its way to the relays by then. One that had not is chosen for once more when it has. */
  readonly measured: boolean;
}

export interface RelayDocuments {
  readonly relay: RelayDocument;
  readonly assignment: AssignmentDocument;
}

export const relayKinds: KindRows<RelayDocuments> = {
  relay: { audited: true, secret: [], restorable: true },
  assignment: { audited: false, secret: [], restorable: false },
};
