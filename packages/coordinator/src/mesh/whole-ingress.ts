/** An ingress with all that it has, whatever its document leaves unsaid. */
import {
  DEFAULT_TRAFFIC,
  DEFAULT_UPSTREAM,
  type Ingress,
  type Traffic,
  type TrafficChange,
  UDP_IDLE_TIMEOUT_S,
  type Upstream,
} from '@meshwork/contract';
import type { IngressDocument, UpstreamDocument } from '../kinds/ingress.ts';

type Kind = Ingress['kind'];

/** A path of an ingress, with the service that it leads to and all of its rules. */
interface IngressPath {
  readonly path: string;
  readonly service: string;
  readonly upstream: Upstream;
  readonly traffic: Traffic;
  /** Id of the WAF policy that its requests have to pass. Null: none. */
  readonly waf: string | null;
}

/** What an ingress has that its document may leave unsaid. */
export type Unsaid = Pick<
  Ingress,
  | 'upstream'
  | 'traffic'
  | 'redirects'
  | 'maintenance'
  | 'proxies'
  | 'mesh_identity'
  | 'counted'
  | 'sign_in'
  | 'waf'
  | 'routes'
  | 'tls'
>;

export interface WholeIngress extends Omit<IngressDocument, keyof Unsaid>, Readonly<Unsaid> {
  readonly kind: Kind;
  readonly port: number | null;
}

/** What gateways speak to the nodes of an ingress, and clients to gateways. */
export function transportOf(kind: Kind): 'tcp' | 'udp' {
  return kind === 'udp' ? 'udp' : 'tcp';
}

/** Ours: what an ingress of a kind has unless an operator says otherwise. Clients of `http` are served with TLS. */
export function defaultsOf(kind: Kind): Unsaid {
  const { check } = DEFAULT_UPSTREAM;
  const rest = {
    traffic: DEFAULT_TRAFFIC,
    redirects: [],
    maintenance: null,
    proxies: null,
    mesh_identity: false,
    counted: kind === 'http',
    sign_in: null,
    waf: null,
    routes: [],
  };
  const anyone = { clients: 'none' as const, client_names: [] };
  if (kind === 'http') {
    return { ...rest, upstream: DEFAULT_UPSTREAM, tls: { certificate: 'mesh', redirect: true, ...anyone } };
  }
  const upstream = {
    ...DEFAULT_UPSTREAM,
    protocol: transportOf(kind),
    // What answers to a datagram is known to the service alone.
    check: kind === 'udp' ? { ...check, kind: 'none' as const } : check,
  };
  const traffic = kind === 'udp' ? { ...DEFAULT_TRAFFIC, idle_timeout_s: UDP_IDLE_TIMEOUT_S } : DEFAULT_TRAFFIC;
  return { ...rest, upstream, traffic, tls: { certificate: 'none', redirect: false, ...anyone } };
}

export function wholeIngress(ingress: IngressDocument): WholeIngress {
  const { kind = 'http', port = null, upstream, routes = [], tls } = ingress;
  return {
    ...defaultsOf(kind),
    ...ingress,
    kind,
    port,
    tls: { ...defaultsOf(kind).tls, ...tls },
    upstream: upstream === undefined ? defaultsOf(kind).upstream : wholeUpstream(upstream),
    routes: routes.map(({ traffic = {}, ...route }) => ({
      ...route,
      upstream: wholeUpstream(route.upstream),
      traffic,
    })),
  };
}

function wholeUpstream(upstream: UpstreamDocument): Upstream {
  const { proxy_protocol, check } = DEFAULT_UPSTREAM;
  return { proxy_protocol, ...upstream, check: { grpc_service: check.grpc_service, ...upstream.check } };
}

/** Rules with what was said on top: of a change, or of a route. Networks and limits have parts of their own, lists are whole. */
export function mergedTraffic(under: Traffic, change: TrafficChange = {}): Traffic {
  return {
    ...under,
    ...change,
    networks: { ...under.networks, ...change.networks },
    limits: { ...under.limits, ...change.limits },
  };
}

/** Every path of it that leads to a service, `/` first, unless a redirect is for that. */
export function pathsOf({ service, upstream, traffic, waf, routes }: WholeIngress): readonly IngressPath[] {
  const own = routes.map((route) => ({
    ...route,
    traffic: mergedTraffic(traffic, route.traffic),
    waf: route.waf === undefined ? waf : route.waf,
  }));
  return service === null ? own : [{ path: '/', service, upstream, traffic, waf }, ...own];
}

/** Every service that it leads to, each once, that of `/` first. */
export function servicesOf(ingress: IngressDocument): readonly string[] {
  const paths = pathsOf(wholeIngress(ingress));
  return [
    ...new Set(
      paths.flatMap(({ service, upstream }) => [
        service,
        ...(upstream.canary === null ? [] : [upstream.canary.service]),
      ]),
    ),
  ];
}

/** How gateways reach a service of it: on each path that leads there, be it as a canary. */
export function upstreamsOf(ingress: IngressDocument, service: string): readonly Upstream[] {
  return pathsOf(wholeIngress(ingress))
    .filter((path) => path.service === service || path.upstream.canary?.service === service)
    .map(({ upstream }) => upstream);
}

/** The port that an ingress has for itself on its gateways, such as `tcp:5432`. Null: it shares those for HTTP and HTTPS. */
export function ownPort({ kind = 'http', port = null }: IngressDocument): string | null {
  return port === null ? null : `${transportOf(kind)}:${port}`;
}

/** What people call it: its host name, with the port where it has one for itself. */
export function placeOf({ hostname, port = null }: IngressDocument): string {
  return port === null ? hostname : `${hostname}:${port}`;
}
