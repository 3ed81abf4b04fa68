/** The first checks of a request: that it is meant for this panel, and comes from its own pages. */
import { MeshError } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import type { Site } from '../site.ts';

/** Asked by probes and scrapers under whatever name, with the same answer for every caller. */
const UNDER_ANY_NAME = new Set(['/healthz', '/readyz', '/metrics']);

/** Against DNS rebinding: an attacker points a name at our address, and pages under that name would count as ours. */
export function ensureMeantForUs(site: Site, { headers, url }: FastifyRequest): void {
  const { host = '' } = headers;
  // `GET http://elsewhere/…` is for proxies of another kind than this one.
  if (!url.startsWith('/')) throw new MeshError('route_not_found', 'Request a path, not an absolute URL.');
  if (site.isOwnHost(host) || UNDER_ANY_NAME.has(url.split('?', 1)[0] ?? '')) return;
  const detail = `The Host header does not match ${site.url.origin}. Set MESH_PANEL_URL to the address that people open.`;
  throw new MeshError('origin_refused', detail);
}

export function isWrite({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/**
 * Against pages of other sites that send requests with the person's cookie. Every browser sends the origin of a write. A client
 * that sends none is no browser, and no other site can make it use its cookie.
 */
export function ensureFromOurPages(site: Site, { headers }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': fetchSite } = headers;
  const isOurs =
    origin === undefined
      ? fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none'
      : site.isOwnOrigin(origin);
  if (isOurs) return;
  throw new MeshError('origin_refused', `Only pages of ${site.url.origin} can send this request.`);
}
