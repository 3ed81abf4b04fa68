/** What a caller says of the upstreams and the TLS of an ingress, on top of what it has. A list is replaced whole. */
import {
  type BodyOf,
  DEFAULT_UPSTREAM,
  type Ingress,
  type Operations,
  type Upstream,
  type UpstreamChange,
} from '@meshwork/contract';

type Change = BodyOf<Operations['ingress.update']>;
type Merged = Pick<Ingress, 'upstream' | 'routes' | 'tls'>;

/** RFC 7396, for what the schema lets through: null is a value here only where the field may be null. */
export function mergedIngress(old: Merged, { upstream, routes, tls }: Change): Merged {
  return {
    upstream: mergedUpstream(old.upstream, upstream),
    routes:
      routes?.map((route) => ({ ...route, upstream: mergedUpstream(DEFAULT_UPSTREAM, route.upstream) })) ?? old.routes,
    tls: { ...old.tls, ...tls },
  };
}

function mergedUpstream(old: Upstream, change: UpstreamChange = {}): Upstream {
  return { ...old, ...change, check: { ...old.check, ...change.check } };
}
