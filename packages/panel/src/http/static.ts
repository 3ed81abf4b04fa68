/**
 * Serves the dashboard: its files as they were built, and for every other address that a browser opens its one page. That page gets
 * a new nonce each time, which the style elements that its scripts make have to carry.
 */
import { randomBytes } from 'node:crypto';
import { MeshError } from '@meshwork/contract';
import { addressPrefixOf, chooseForm, type RateLimit } from '@meshwork/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DashboardFiles } from './dashboard-files.ts';
import { pagePolicy } from './security-headers.ts';
import { sendForm } from './send-reply.ts';

/** In the built page, where the nonce goes. */
const NONCE_PLACE = '__CSP_NONCE__';
const HASHED = '/assets/';
/** Files that one address may fetch: an office opens the dashboard at once, each page of it a few dozen. */
const FILES = { rate_per_s: 200, burst: 2000 };
const A_YEAR_S = 365 * 24 * 3600;
/** How no address of a page begins: what is not found there is not there. */
const FIRST = ':first(^(?!(?:api|assets|healthz|readyz|metrics)$)[^.]+$)';
const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>Meshwork</title>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> and start the panel again. The API below <code>/api/v1</code> works without it.</p>
</html>
`;

export function dashboardRoutes(server: FastifyInstance, { files, page }: DashboardFiles, limit: RateLimit): void {
  for (const [path, file] of files) {
    // Names of files below /assets/ change with what is in them.
    const caching = path.startsWith(HASHED) ? `public, max-age=${A_YEAR_S}, immutable` : 'public, no-cache';
    server.get(path, (request, reply) => {
      limit.take(`files ${addressPrefixOf(request.ip)}`, FILES);
      return sendForm(reply, chooseForm(file, request.headers, caching));
    });
  }
  server.get('/', (_request, reply) => sendPage(reply, page));
  for (const url of [`/${FIRST}`, `/${FIRST}/*`]) {
    server.get(url, (request, reply) => {
      if (acceptsPages(request)) return sendPage(reply, page);
      throw new MeshError('route_not_found', `Nothing is at ${request.url.split('?', 1)[0]}.`);
    });
  }
}

/** A check of `/readyz`. */
export function dashboardCheck({ page }: DashboardFiles) {
  const ok = page !== undefined;
  return { name: 'dashboard', ok, detail: ok ? null : 'it is not built: run npm run build' } as const;
}

function acceptsPages({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

function sendPage(reply: FastifyReply, page: string | undefined): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-store');
  reply.header('content-security-policy', pagePolicy(nonce));
  if (page === undefined) return reply.code(503).send(NOT_BUILT);
  return reply.send(page.replaceAll(NONCE_PLACE, nonce));
}
