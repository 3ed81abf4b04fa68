import { createServer, type Server } from 'node:http';
import type { Listen } from '../read-config.ts';

/** The media type that Prometheus expects. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** `/metrics` without credentials, on an address of its own that only the scraper reaches. */
export async function listenForScrapes(listen: Listen, metrics: () => Promise<string>): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics().then(
      (text) => response.writeHead(200, { 'content-type': METRICS_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen.port, listen.host, resolve);
  });
  return server;
}
