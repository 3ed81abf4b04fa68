import type { Ingress, NodeId, Scope, Upstream } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** What is absent is so in documents of older versions: `mesh/whole-ingress.ts` says what it means. */
export interface IngressDocument {
  readonly name: string;
  readonly hostname: string;
  readonly service: string;
  readonly upstream?: Upstream;
  readonly routes?: Ingress['routes'];
  readonly tls?: Ingress['tls'];
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
