import { DEFAULT_UPSTREAM, type Ingress, type Upstream } from '@meshwork/contract';
import type { IngressDocument } from '../kinds/ingress.ts';

/** Ours: clients are served with TLS unless an operator says otherwise. */
export const DEFAULT_TLS: Ingress['tls'] = { certificate: 'mesh', redirect: true };

/** A path of an ingress, with the service that it leads to. */
interface IngressRoute {
  readonly path: string;
  readonly service: string;
  readonly upstream: Upstream;
}

export interface WholeIngress extends IngressDocument {
  readonly upstream: Upstream;
  readonly routes: Ingress['routes'];
  readonly tls: Ingress['tls'];
}

/** An ingress with all that it has. One of an older version said nothing of upstreams, routes and TLS, and has what a new one has. */
export function wholeIngress(ingress: IngressDocument): WholeIngress {
  const { upstream = DEFAULT_UPSTREAM, routes = [], tls = DEFAULT_TLS } = ingress;
  return { ...ingress, upstream, routes, tls };
}

/** Every path of it, `/` first. */
export function pathsOf({ service, upstream, routes }: WholeIngress): readonly IngressRoute[] {
  return [{ path: '/', service, upstream }, ...routes];
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
