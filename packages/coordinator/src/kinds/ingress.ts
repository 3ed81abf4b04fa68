import type { NodeId, Scope } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

export interface IngressDocument {
  readonly name: string;
  readonly hostname: string;
  readonly service: string;
  readonly scope: Scope;
  readonly gateways: readonly string[];
  readonly replicas: number;
  readonly draining: boolean;
  readonly created_at: string;
}

/** Who serves an ingress. Same id as the ingress. */
export interface PlacementDocument {
  readonly gateways: readonly { readonly node: NodeId; readonly draining: boolean }[];
}

export interface IngressDocuments {
  readonly ingress: IngressDocument;
  readonly placement: PlacementDocument;
}

export const ingressKinds: KindRows<IngressDocuments> = {
  ingress: { audited: true, secret: [], restorable: true },
  placement: { audited: false, secret: [], restorable: false },
};
