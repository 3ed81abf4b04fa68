/** What the form of an ingress holds, and the request that it makes. */
import type { RequestOf } from '@meshwork/client';
import type { Ingress, Scope } from '@meshwork/contract';
import { DEFAULT_UPSTREAM } from '@meshwork/contract/vocabulary';
import { draftOfUpstream, isCompleteUpstream, type UpstreamDraft, upstreamOf } from './upstream-draft.ts';

export interface RouteDraft {
  /** Of the row on the page: a path changes while it is typed. */
  readonly key: number;
  readonly path: string;
  readonly service: string;
  readonly upstream: UpstreamDraft;
}

export interface IngressDraft {
  readonly name: string;
  readonly hostname: string;
  readonly service: string;
  readonly upstream: UpstreamDraft;
  readonly routes: readonly RouteDraft[];
  readonly tls: Ingress['tls'];
  readonly gateways: readonly string[];
  readonly replicas: number;
  readonly scope: Scope;
}

type NewIngress = RequestOf<'ingress.create'>['body'];
/** All that a person decides of an ingress: the record without what the mesh makes of it. */
export type IngressBody = { readonly [Field in keyof NewIngress]-?: NonNullable<NewIngress[Field]> };
type IngressChange = RequestOf<'ingress.update'>['body'];

export function newDraft(scope: Scope): IngressDraft {
  return {
    name: '',
    hostname: '',
    service: '',
    upstream: draftOfUpstream(DEFAULT_UPSTREAM),
    routes: [],
    tls: { certificate: 'mesh', redirect: true },
    gateways: [],
    replicas: 1,
    scope,
  };
}

type Record = Pick<Ingress, keyof IngressBody>;

export function draftOf({ routes, upstream, ...ingress }: Record): IngressDraft {
  const { name, hostname, service, tls, gateways, replicas, scope } = ingress;
  return {
    ...{ name, hostname, service, tls, gateways, replicas, scope },
    upstream: draftOfUpstream(upstream),
    routes: routes.map((route, key) => ({ ...route, key, upstream: draftOfUpstream(route.upstream) })),
  };
}

/** In the order of the API, which the text has too. */
export function bodyOf({ upstream, routes, ...draft }: IngressDraft): IngressBody {
  const { name, hostname, service, tls, gateways, replicas, scope } = draft;
  return {
    ...{ name, hostname, service },
    upstream: upstreamOf(upstream),
    routes: routes.map(({ path, service: other, upstream: own }) => ({
      ...{ path, service: other, upstream: upstreamOf(own) },
    })),
    ...{ tls, gateways: [...gateways], replicas, scope },
  };
}

export function withRoute(draft: IngressDraft): IngressDraft {
  const key = Math.max(-1, ...draft.routes.map((route) => route.key)) + 1;
  const route = { key, path: '', service: '', upstream: draftOfUpstream(DEFAULT_UPSTREAM) };
  return { ...draft, routes: [...draft.routes, route] };
}

/** Whether everything that it needs is there. The coordinator checks the rest. */
export function isComplete({ name, hostname, service, upstream, routes, gateways, replicas }: IngressDraft): boolean {
  return (
    [name, hostname, service, ...routes.flatMap((route) => [route.path, route.service])].every((text) => text !== '') &&
    [upstream, ...routes.map((route) => route.upstream)].every(isCompleteUpstream) &&
    gateways.length > 0 &&
    Number.isFinite(replicas)
  );
}

/** Only what is other than before: what another person changes meanwhile stays. A scope stays as it was made. */
export function changesOf({ scope: _, ...now }: IngressBody, before: IngressBody): IngressChange {
  const changed = Object.entries(now).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof IngressBody]),
  );
  return Object.fromEntries(changed);
}
