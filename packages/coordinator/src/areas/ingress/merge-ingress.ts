/** What a caller says of an ingress, on top of what it has. A list is replaced whole. */
import type { BodyOf, Ingress, Operations, Upstream, UpstreamChange } from '@meshwork/contract';
import { defaultsOf, mergedTraffic } from '../../mesh/whole-ingress.ts';

type Change = BodyOf<Operations['ingress.update']>;
type Merged = Pick<
  Ingress,
  'upstream' | 'traffic' | 'redirects' | 'maintenance' | 'proxies' | 'mesh_identity' | 'waf' | 'routes' | 'tls'
>;

/** RFC 7396, for what the schema lets through: null is a value here only where the field may be null. WAF policies are ids by now. */
export function mergedIngress(old: Merged, change: Change): Merged {
  const { upstream, traffic, routes, tls } = change;
  return {
    upstream: mergedUpstream(old.upstream, upstream),
    traffic: mergedTraffic(old.traffic, traffic),
    redirects: change.redirects ?? old.redirects,
    maintenance: change.maintenance === undefined ? old.maintenance : change.maintenance,
    proxies: change.proxies === undefined ? old.proxies : change.proxies,
    mesh_identity: change.mesh_identity ?? old.mesh_identity,
    waf: change.waf === undefined ? old.waf : change.waf,
    routes:
      routes?.map((route) => ({
        ...route,
        upstream: mergedUpstream(defaultsOf('http').upstream, route.upstream),
        traffic: route.traffic ?? {},
      })) ?? old.routes,
    tls: { ...old.tls, ...tls },
  };
}

function mergedUpstream(old: Upstream, change: UpstreamChange = {}): Upstream {
  return { ...old, ...change, check: { ...old.check, ...change.check } };
}
