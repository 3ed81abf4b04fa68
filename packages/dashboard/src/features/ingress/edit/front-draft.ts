/** What gateways do with a request before it comes to a path, as the form holds it: redirects, and proxies in front of them. */
import type { Ingress } from '@meshwork/contract';

type RedirectStatus = Ingress['redirects'][number]['status'];

export interface RedirectDraft {
  /** Of the row on the page. */
  readonly key: number;
  readonly path: string;
  readonly to: string;
  readonly status: RedirectStatus;
  readonly keep: boolean;
}

export interface ProxiesDraft {
  /** Empty: no proxy is believed. */
  readonly networks: readonly string[];
  readonly header: string;
}

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const satisfies readonly RedirectStatus[];
/** Ours: browsers do not remember it, so that a mistake can be taken back. */
const FIRST_STATUS = 302;

export function draftOfRedirects(redirects: Ingress['redirects']): readonly RedirectDraft[] {
  return redirects.map((redirect, key) => ({ ...redirect, key }));
}

export function redirectsOf(redirects: readonly RedirectDraft[]): Ingress['redirects'] {
  return redirects.map(({ path, to, status, keep }) => ({ path, to, status, keep }));
}

/** The first is for `/` where there is no service yet: it takes the place of one. */
export function withRedirect(redirects: readonly RedirectDraft[], path: string): readonly RedirectDraft[] {
  const key = Math.max(-1, ...redirects.map((one) => one.key)) + 1;
  return [...redirects, { key, path, to: '', status: FIRST_STATUS, keep: true }];
}

export function draftOfProxies(proxies: Ingress['proxies']): ProxiesDraft {
  return proxies ?? { networks: [], header: 'X-Forwarded-For' };
}

export function proxiesOf({ networks, header }: ProxiesDraft): Ingress['proxies'] {
  return networks.length === 0 ? null : { networks: [...networks], header };
}
