/** Tells when a request has reached a server of this process: one that a test sends by hand, and not to its end. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

const CHANNEL = 'http.server.request.start';

/** Resolves once the head of the next such request was read, before anything else can be. Begin before it is sent. */
export function arrivalOf(method: string, path: string): Promise<void> {
  return new Promise((resolve) => {
    const started = (message: unknown) => {
      const { request } = message as { readonly request: IncomingMessage };
      if (request.method !== method || request.url !== path) return;
      unsubscribe(CHANNEL, started);
      resolve();
    };
    subscribe(CHANNEL, started);
  });
}
