import type { Ingress, NodeId, Scope, Upstream } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

type Without<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** One from before there was gRPC and the PROXY protocol says nothing of either. */
export type UpstreamDocument = Without<Omit<Upstream, 'check'>, 'proxy_protocol'> & {
  readonly check: Without<Upstream['check'], 'grpc_service'>;
};

type Route = Ingress['routes'][number];
type RouteDocument = Without<Omit<Route, 'upstream'>, 'traffic'> & { readonly upstream: UpstreamDocument };

/** One from before certificates of clients were checked says nothing of them. */
type TlsDocument = Without<Ingress['tls'], 'clients' | 'client_names'>;

/** What is absent is so in documents of older versions: `mesh/whole-ingress.ts` says what it means. */
export interface IngressDocument {
  readonly name: string;
  readonly kind?: Ingress['kind'];
  readonly hostname: string;
  readonly port?: number | null;
  /** Null: a redirect of `/` sends all elsewhere. */
  readonly service: string | null;
  readonly upstream?: UpstreamDocument;
  readonly traffic?: Ingress['traffic'];
  readonly redirects?: Ingress['redirects'];
  readonly maintenance?: Ingress['maintenance'];
  readonly proxies?: Ingress['proxies'];
  readonly mesh_identity?: Ingress['mesh_identity'];
  readonly counted?: Ingress['counted'];
  readonly sign_in?: Ingress['sign_in'];
  /** Id of the WAF policy that requests have to pass. */
  readonly waf?: Ingress['waf'];
  readonly routes?: readonly RouteDocument[];
  readonly tls?: TlsDocument;
  readonly scope: Scope;
  readonly gateways: readonly string[];
  readonly replicas: number;
  readonly draining: boolean;
  /** Absent or null: it does not drain. */
  readonly drain?: IngressDrainDocument | null;
  readonly created_at: string;
}

/** When connections that are still open are ended. */
export interface DrainDeadline {
  readonly at: string;
  /** The same in seconds, from when it was set. */
  readonly after_s: number;
}

interface IngressDrainDocument {
  readonly since: string;
  /** Null: never. */
  readonly deadline: DrainDeadline | null;
  /** When all of its gateways had proven it. Null: not yet. */
  readonly drained_at: string | null;
  /** What they had ended by then. */
  readonly cut: number;
}

/** Who serves an ingress. Same id as the ingress. */
export interface PlacementDocument {
  readonly gateways: readonly { readonly node: NodeId; readonly draining: boolean }[];
}

/**
 * Which gateways have proven to serve an ingress, and how clients find it there. Same id as the ingress. Absent: none has. What
 * heartbeats prove is known to some coordinators only, and changes what nodes are sent: so it is written down, when it changes.
 */
export interface ProvenDocument extends IngressFront {
  /** In order of id. */
  readonly gateways: readonly NodeId[];
}

/** What clients know of an ingress. */
export interface IngressFront {
  readonly hostname: string;
  readonly transport: 'tcp' | 'udp';
  readonly port: number;
}

export interface IngressDocuments {
  readonly ingress: IngressDocument;
  readonly placement: PlacementDocument;
  readonly proven: ProvenDocument;
}

export const ingressKinds: KindRows<IngressDocuments> = {
  ingress: { audited: true, secret: [], restorable: true },
  placement: { audited: false, secret: [], restorable: false },
  proven: { audited: false, secret: [], restorable: false },
};
