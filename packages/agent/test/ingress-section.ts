import type { AssignedRoute, AssignedTarget, IngressAssignment } from '@meshwork/contract';
import { DEFAULT_TRAFFIC, DEFAULT_UPSTREAM } from '@meshwork/contract/vocabulary';

const ID_LENGTH = 26;

/** `ingress_…` with this number. */
export function ingressId(number: number): string {
  return `ingress_${String(number).padStart(ID_LENGTH, '0')}`;
}

/** The node with this number, and where its service is. */
export function targetOf(number: number, over: Partial<AssignedTarget> = {}): AssignedTarget {
  return {
    node: `node_${String(number).padStart(ID_LENGTH, '0')}`,
    name: `web-${number}`,
    address: `100.64.0.${number}`,
    port: 8080,
    weight: 1,
    ...over,
  };
}

/** What passes: everything, but for what is said. */
export function trafficOf(over: Partial<AssignedRoute['traffic']>): AssignedRoute['traffic'] {
  return { ...DEFAULT_TRAFFIC, ...over };
}

type RouteOver = Partial<Omit<AssignedRoute, 'check'>> & {
  readonly check?: Partial<AssignedRoute['check']>;
  /** Of its only service. */
  readonly targets?: AssignedTarget[];
};

export function routeOf({ check, targets = [], ...over }: RouteOver = {}): AssignedRoute {
  return {
    path: '/',
    protocol: 'http',
    balance: 'round_robin',
    proxy_protocol: false,
    check: { ...DEFAULT_UPSTREAM.check, ...check },
    traffic: DEFAULT_TRAFFIC,
    pools: [{ service: 'web', percent: 100, targets }],
    ...over,
  };
}

export function ingressOf(number: number, over: Partial<IngressAssignment> = {}): IngressAssignment {
  return {
    id: ingressId(number),
    hostname: `www-${number}.example.com`,
    kind: 'http',
    port: null,
    draining: false,
    routes: [routeOf()],
    redirects: [],
    maintenance: null,
    proxies: null,
    tls: null,
    ...over,
  };
}
