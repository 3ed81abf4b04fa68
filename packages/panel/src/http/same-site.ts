/** Whether a request was meant for the panel, and came from its own pages: the first things that are asked of it. */
import { MeshError } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import type { Site } from '../site.ts';

/** Asked by probes and scrapers under whatever name, and the same to anybody. */
const UNDER_ANY_NAME = new Set(['/healthz', '/readyz', '/metrics']);

/** Against names that somebody points at our address, so that a page of theirs counts as ours (DNS rebinding). */
export function ensureMeantForUs(site: Site, { headers, url }: FastifyRequest): void {
  const { host = '' } = headers;
  // `GET http://elsewhere/…` is for proxies of another kind than this one.
  if (!url.startsWith('/')) throw new MeshError('route_not_found', 'Ask for a path, not for a whole address.');
  if (site.isOwnHost(host) || UNDER_ANY_NAME.has(url.split('?', 1)[0] ?? '')) return;
  const detail = `This is ${site.url.origin}, and not what the Host header says. MESH_PANEL_URL says what it may be.`;
  throw new MeshError('origin_refused', detail);
}

export function isWrite({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/**
 * Against pages of others that send something in the name of who is signed in. Every browser says where a write comes from;
 * who says nothing at all is no browser, and has no cookie that somebody else could use.
 */
export function ensureFromOurPages(site: Site, { headers }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': fetchSite } = headers;
  const isOurs =
    origin === undefined
      ? fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none'
      : site.isOwnOrigin(origin);
  if (isOurs) return;
  throw new MeshError('origin_refused', `Only pages of ${site.url.origin} can ask for this.`);
}
