import type { Outgoing } from './exchange.ts';

/** What every answer has, whatever it says. */
export function unchangingHeaders(reply: Outgoing): string[] {
  return ['x-request-id', reply.request.id, 'x-content-type-options', 'nosniff'];
}

/** What every answer has that is true for one caller at one moment. */
export function commonHeaders(reply: Outgoing): string[] {
  return ['x-request-id', reply.request.id, 'x-content-type-options', 'nosniff', 'cache-control', 'no-store'];
}

/**
 * Writes an answer straight to the response of `node:http`: names and values in turn are what it takes fastest. No text:
 * an answer without a body.
 */
export function writeAnswer(reply: Outgoing, status: number, headers: readonly string[], text?: string): void {
  const all = commonHeaders(reply);
  all.push(...headers);
  if (text !== undefined) all.push('content-length', String(Buffer.byteLength(text)));
  reply.hijack();
  reply.raw.writeHead(status, all);
  reply.raw.end(text);
}
