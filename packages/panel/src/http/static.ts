/**
 * Serves the dashboard: its files as they were built, and for every other address that a browser opens its one page. That page gets
 * a new nonce each time, which the style elements that its scripts make have to carry.
 */
import { randomBytes } from 'node:crypto';
import { MeshError } from '@meshwork/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DashboardFile, type DashboardFiles, ENCODINGS, type Encoding } from './dashboard-files.ts';
import { pagePolicy } from './security-headers.ts';

/** In the built page, where the nonce goes. */
const NONCE_PLACE = '__CSP_NONCE__';
const HASHED = '/assets/';
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

export function dashboardRoutes(server: FastifyInstance, { files, page }: DashboardFiles): void {
  for (const [path, file] of files) {
    server.get(path, (request, reply) => sendFile(request, reply, { path, file }));
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

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, file }: { readonly path: string; readonly file: DashboardFile },
): FastifyReply {
  const { type, etag, bytes, encoded } = file;
  const encoding = bestOf(encoded, request.headers['accept-encoding']);
  // Each form has a tag of its own: they are not the same bytes.
  const tag = encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`;
  // Names of files below /assets/ change with what is in them.
  const caching = path.startsWith(HASHED) ? `public, max-age=${A_YEAR_S}, immutable` : 'public, no-cache';
  reply.header('cache-control', caching).header('etag', tag).header('vary', 'accept-encoding');
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  reply.header('content-type', type);
  if (encoding === undefined) return reply.send(bytes);
  return reply.header('content-encoding', encoding).send(encoded[encoding]);
}

function bestOf(encoded: DashboardFile['encoded'], accepted: string | undefined): Encoding | undefined {
  const wanted = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...options] = part.split(';').map((text) => text.trim().toLowerCase());
      return [name, !options.some((option) => /^q=0(?:\.0*)?$/.test(option))] as const;
    }),
  );
  const isWanted = (name: string) => wanted.get(name) ?? wanted.get('*') ?? false;
  return (Object.keys(ENCODINGS) as Encoding[]).find((name) => encoded[name] !== undefined && isWanted(name));
}

function isKnown(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
