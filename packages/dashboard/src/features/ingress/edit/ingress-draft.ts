/** What the form of an ingress holds, and the request that it makes. */
import type { RequestOf } from '@meshwork/client';
import type { Ingress, Scope } from '@meshwork/contract';
import { UDP_IDLE_TIMEOUT_S } from '@meshwork/contract/vocabulary';
import { changesBetween } from '../changes.ts';
import { defaultTls, defaultUpstream, hasPort, type IngressKind } from '../ingress-kinds.ts';
import {
  draftOfProxies,
  draftOfRedirects,
  type ProxiesDraft,
  proxiesOf,
  type RedirectDraft,
  redirectsOf,
} from './front-draft.ts';
import {
  draftOfOverrides,
  draftOfTraffic,
  isCompleteTraffic,
  newTraffic,
  overridesOf,
  type TrafficDraft,
  type TrafficOverrides,
  trafficOf,
} from './traffic-draft.ts';
import { draftOfUpstream, EMPTY, isCompleteUpstream, type UpstreamDraft, upstreamOf } from './upstream-draft.ts';

export interface RouteDraft {
  /** Of the row on the page: a path changes while it is typed. */
  readonly key: number;
  readonly path: string;
  readonly service: string;
  readonly upstream: UpstreamDraft;
  /** What is otherwise here than in the rest of the ingress. */
  readonly traffic: TrafficOverrides;
  /** Null: none. Undefined: that of the ingress. */
  readonly waf: string | null | undefined;
}

export interface IngressDraft {
  readonly kind: IngressKind;
  readonly name: string;
  readonly hostname: string;
  /** Of the kinds that have one. */
  readonly port: number;
  /** Empty: it leads to none. */
  readonly service: string;
  readonly upstream: UpstreamDraft;
  readonly traffic: TrafficDraft;
  readonly redirects: readonly RedirectDraft[];
  /** Turned on and off by an action of its own; as text, it is here too. */
  readonly maintenance: Ingress['maintenance'];
  readonly proxies: ProxiesDraft;
  readonly mesh_identity: boolean;
  readonly counted: boolean;
  /** Null: people need not sign in. */
  readonly sign_in: Ingress['sign_in'];
  /** The WAF policy, by its id; as text, also by its name. Null: none. */
  readonly waf: string | null;
  readonly routes: readonly RouteDraft[];
  readonly tls: Ingress['tls'];
  readonly gateways: readonly string[];
  readonly replicas: number;
  readonly scope: Scope;
}

const { clients, client_names } = defaultTls('http');
const defaultClients = { clients, client_names };

type NewIngress = RequestOf<'ingress.create'>['body'];
type IngressChange = RequestOf<'ingress.update'>['body'];
/** All that a person decides of an ingress: the record without what the mesh makes of it. */
export type IngressBody = {
  readonly [Field in Exclude<keyof NewIngress, 'port' | 'service' | 'sign_in'>]-?: Exclude<
    NewIngress[Field],
    undefined
  >;
} & Pick<Ingress, 'port' | 'service' | 'sign_in'>;

export function newDraft(scope: Scope, kind: IngressKind = 'http'): IngressDraft {
  return {
    ...{ kind, name: '', hostname: '', port: EMPTY, service: '' },
    upstream: draftOfUpstream(defaultUpstream(kind)),
    traffic: { ...newTraffic(), by: undefined, ...(kind === 'udp' ? { idle_timeout_s: UDP_IDLE_TIMEOUT_S } : {}) },
    ...{ redirects: [], maintenance: null, proxies: draftOfProxies(null), mesh_identity: false },
    ...{ counted: kind === 'http', sign_in: null },
    ...{ waf: null, routes: [] },
    tls: defaultTls(kind),
    ...{ gateways: [], replicas: 1, scope },
  };
}

/** Of another kind. What the new kind does not have is forgotten. */
export function ofKind(draft: IngressDraft, kind: IngressKind): IngressDraft {
  const { name, hostname, service, gateways, replicas, scope } = draft;
  const { port } = hasPort(kind) ? draft : { port: EMPTY };
  return { ...newDraft(scope, kind), name, hostname, port, service, gateways, replicas };
}

type Record = Pick<Ingress, keyof IngressBody>;

export function draftOf({
  port,
  service,
  upstream,
  traffic,
  redirects,
  proxies,
  routes,
  ...same
}: Record): IngressDraft {
  const { kind, name, hostname, maintenance, mesh_identity, counted, sign_in, waf, tls, gateways } = same;
  const { replicas, scope } = same;
  return {
    ...{ kind, name, hostname, maintenance, mesh_identity, counted, sign_in, waf, tls, gateways, replicas, scope },
    port: port ?? EMPTY,
    service: service ?? '',
    upstream: draftOfUpstream(upstream),
    traffic: draftOfTraffic(traffic),
    redirects: draftOfRedirects(redirects),
    proxies: draftOfProxies(proxies),
    routes: routes.map((route, key) => ({
      ...{ key, path: route.path, service: route.service },
      upstream: draftOfUpstream(route.upstream),
      traffic: draftOfOverrides(route.traffic),
      waf: route.waf,
    })),
  };
}

/** In the order of the API, which the text has too. */
export function bodyOf(draft: IngressDraft): IngressBody {
  const { kind, name, hostname, port, service, maintenance, mesh_identity, waf, routes, tls, gateways } = draft;
  const { counted, sign_in, replicas, scope } = draft;
  return {
    ...{ name, kind, hostname },
    port: Number.isNaN(port) ? null : port,
    service: service === '' ? null : service,
    upstream: upstreamOf(draft.upstream),
    traffic: trafficOf(draft.traffic),
    redirects: redirectsOf(draft.redirects),
    maintenance,
    proxies: proxiesOf(draft.proxies),
    mesh_identity,
    counted,
    sign_in,
    waf,
    routes: routes.map(({ path, service: other, upstream, traffic, waf: own }) => ({
      ...{ path, service: other, upstream: upstreamOf(upstream), traffic: overridesOf(traffic) },
      ...(own === undefined ? {} : { waf: own }),
    })),
    ...{ tls, scope, gateways: [...gateways], replicas },
  };
}

export function withRoute(draft: IngressDraft): IngressDraft {
  const key = Math.max(-1, ...draft.routes.map((route) => route.key)) + 1;
  const upstream = draftOfUpstream(defaultUpstream('http'));
  return { ...draft, routes: [...draft.routes, { key, path: '', service: '', upstream, traffic: {}, waf: undefined }] };
}

/** Without TLS no client can be asked for a certificate. */
export function withCertificate(tls: Ingress['tls'], certificate: Ingress['tls']['certificate']): Ingress['tls'] {
  return certificate === 'none' ? { ...tls, certificate, ...defaultClients } : { ...tls, certificate };
}

/** What is not asked for has no names, and by plain HTTP no client can show a certificate. */
export function withClients(tls: Ingress['tls'], clients: Ingress['tls']['clients']): Ingress['tls'] {
  if (clients === 'none') return { ...tls, ...defaultClients };
  return { ...tls, clients, redirect: tls.redirect || clients === 'required' };
}

/** Whether all clients are sent elsewhere, and none comes to a service. */
export function redirectsAll({ redirects }: Pick<IngressDraft, 'redirects'>): boolean {
  return redirects.some(({ path }) => path === '/');
}

/** What is wrong with the service. Null: nothing that shows here. */
export function serviceProblem(draft: IngressDraft): string | null {
  if (draft.service === '' || !redirectsAll(draft)) return null;
  return 'A redirect of / sends everyone elsewhere. Leave this empty, or remove the redirect.';
}

/** Whether everything that it needs is there. The coordinator checks the rest. */
export function isComplete(draft: IngressDraft): boolean {
  const { kind, name, hostname, port, service, upstream, traffic, redirects, proxies, routes } = draft;
  const texts = [
    ...[name, hostname, proxies.header, ...(redirectsAll(draft) ? [] : [service])],
    ...routes.flatMap((route) => [route.path, route.service]),
    ...redirects.flatMap(({ path, to }) => [path, to]),
  ];
  return (
    texts.every((text) => text !== '') &&
    serviceProblem(draft) === null &&
    [upstream, ...routes.map((route) => route.upstream)].every(isCompleteUpstream) &&
    [traffic, ...routes.map((route) => route.traffic)].every(isCompleteTraffic) &&
    draft.gateways.length > 0 &&
    [draft.replicas, ...(hasPort(kind) ? [port] : [])].every(Number.isFinite)
  );
}

/** What a new one needs, and what is other than the default of its kind. */
export function newIngressOf(body: IngressBody): NewIngress {
  const { name, kind, hostname, gateways, scope } = body;
  const { port, service, ...changes } = changesBetween(body, bodyOf(newDraft(scope, kind)));
  return {
    ...changes,
    ...{ name, hostname, gateways, scope },
    ...(kind === 'http' ? {} : { kind }),
    ...(port == null ? {} : { port }),
    ...(service == null ? {} : { service }),
  };
}

/** Only what is other than before: what another person changes meanwhile stays. A scope stays as it was made. */
export function changesOf({ scope: _, port, ...now }: IngressBody, before: IngressBody): IngressChange {
  return changesBetween<IngressChange>({ ...now, ...(port === null ? {} : { port }) }, before);
}
