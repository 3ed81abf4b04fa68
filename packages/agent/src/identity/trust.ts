/** How the agent knows its coordinator from an impostor. Part of the identity: set once, at enrolment. */
import type { TlsOptions } from '../wire/lean-fetch.ts';

export type Trust =
  /** Whatever the system trusts. */
  | { readonly kind: 'system'; readonly insecure_http: boolean }
  /** Certificates of this authority, and of no other. */
  | { readonly kind: 'ca'; readonly pem: string; readonly insecure_http: boolean }
  /** These keys, whatever their certificates say. */
  | { readonly kind: 'pins'; readonly pins: readonly string[]; readonly insecure_http: boolean };

export function tlsOf(trust: Trust): TlsOptions {
  if (trust.kind === 'ca') return { ca: trust.pem };
  return trust.kind === 'pins' ? { pins: trust.pins } : {};
}

/** What is wrong with an address of a coordinator, in words. Absent: nothing. */
export function addressProblem(text: string, { insecure_http }: Pick<Trust, 'insecure_http'>): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'is not an address; one looks like https://mesh.example.org:7400';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (url.search !== '' || url.hash !== '') return 'must have no query and no fragment';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return `must start with https://, not ${url.protocol}//`;
  if (insecure_http || isLoopback(url.hostname)) return undefined;
  return 'is not encrypted, so anyone on the path could read the credentials: use https://, or pass --insecure-http';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
