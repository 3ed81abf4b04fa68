import type { ActorRef, NodeId, NodeOperationKind, NodeOperationState, Scope } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';
import type { NodeDocument } from './nodes.ts';

export interface OperationDocument {
  readonly kind: NodeOperationKind;
  readonly node: NodeId;
  readonly node_name: string;
  readonly scope: Scope;
  readonly state: NodeOperationState;
  readonly requested_by: ActorRef;
  readonly requested_at: string;
  /** The revision of the request: what a heartbeat must have applied. */
  readonly requested_revision: number;
  readonly deadline_ms: number;
  readonly delivered_at: string | null;
  readonly verified_at: string | null;
  readonly ended_at: string | null;
  readonly reason: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** How long the answer of the node is, which is kept elsewhere: see `operations/operation-results.ts`. Absent: there is none. */
  readonly result_bytes?: number;
  /** What to put back when it is cancelled. */
  readonly before: Readonly<
    Partial<Pick<NodeDocument, 'tags' | 'pinned_relay' | 'routes_approved' | 'routes_shared' | 'wireguard_key'>>
  >;
}

export interface OperationDocuments {
  readonly operation: OperationDocument;
}

export const operationKinds: KindRows<OperationDocuments> = {
  operation: { audited: true, secret: [], restorable: false },
};
