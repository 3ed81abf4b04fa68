/** What a caller says of an ingress, on top of what it has. A list is replaced whole. */
import {
  type BodyOf,
  DEFAULT_SIGN_IN,
  type Ingress,
  type Operations,
  type Upstream,
  type UpstreamChange,
} from '@meshwork/contract';
import { defaultsOf, mergedTraffic, type Unsaid } from '../../mesh/whole-ingress.ts';

type Change = BodyOf<Operations['ingress.update']>;

/** RFC 7396, for what the schema lets through: null is a value here only where the field may be null. WAF policies are ids by now. */
export function mergedIngress(old: Unsaid, change: Change): Unsaid {
  const { upstream, traffic, routes, tls } = change;
  return {
    upstream: mergedUpstream(old.upstream, upstream),
    traffic: mergedTraffic(old.traffic, traffic),
    redirects: change.redirects ?? old.redirects,
    maintenance: change.maintenance === undefined ? old.maintenance : change.maintenance,
    proxies: change.proxies === undefined ? old.proxies : change.proxies,
    mesh_identity: change.mesh_identity ?? old.mesh_identity,
    counted: change.counted ?? old.counted,
    sign_in: mergedSignIn(old.sign_in, change.sign_in),
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

function mergedSignIn(old: Ingress['sign_in'], change: Change['sign_in']): Ingress['sign_in'] {
  if (change === undefined) return old;
  return change === null ? null : { ...(old ?? DEFAULT_SIGN_IN), ...change };
}

function mergedUpstream(old: Upstream, change: UpstreamChange = {}): Upstream {
  return { ...old, ...change, check: { ...old.check, ...change.check } };
}
