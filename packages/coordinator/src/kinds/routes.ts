import type { NodeId, Scope } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** Who forwards to a network for the nodes of one boundary. `mesh/route-id.ts` makes its id of both. */
interface RouteDocument {
  readonly boundary: Scope;
  readonly cidr: string;
  readonly provider: NodeId;
}

/** That a network of a boundary overlaps one that is approved in another. Its id is that of the route. */
interface OverlapDocument {
  readonly boundary: Scope;
  readonly cidr: string;
  readonly since_ms: number;
}

export interface RouteDocuments {
  readonly route: RouteDocument;
  readonly overlap: OverlapDocument;
}

export const routeKinds: KindRows<RouteDocuments> = {
  route: { audited: false, secret: [], restorable: false },
  overlap: { audited: false, secret: [], restorable: false },
};
