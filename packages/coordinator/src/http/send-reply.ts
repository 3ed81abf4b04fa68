import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Operation, OperationId } from '@meshwork/contract';
import { etagOf, METRICS_TYPE, type ServedDocument } from '@meshwork/service';
import type { Reply, Stream } from '../areas/handler.ts';
import type { Outgoing } from './exchange.ts';
import { referenceStyle } from './reference/page.ts';
import { commonHeaders, unchangingHeaders, writeAnswer } from './write-answer.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** By the media type that the table gives; text/plain is the metrics. */
const OTHER_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'text/plain': ['content-type', METRICS_TYPE],
};

const styleHash = createHash('sha256').update(referenceStyle).digest('base64');
/** The reference page may load nothing but its inline style, and no page may frame it. */
const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** By what an operation answers with. */
const POLICIES: Readonly<Record<string, readonly string[]>> = {
  'text/html': ['content-security-policy', DOCS_POLICY],
};

/** Returns the status that was sent. */
export async function sendDocument(reply: Outgoing, operation: Operation, document: ServedDocument): Promise<number> {
  const { status, headers, bytes } = await document.answer(reply.request.headers);
  const policy = POLICIES[operation.answer.type ?? ''] ?? [];
  const all = [...unchangingHeaders(reply), ...headers, ...policy];
  if (bytes !== undefined) all.push('content-length', String(bytes.length));
  reply.hijack();
  reply.raw.writeHead(status, all);
  reply.raw.end(bytes);
  return status;
}

/** Returns the status that was sent. */
export function sendReply(
  reply: Outgoing,
  operation: Operation,
  answer: Exclude<Reply<OperationId>, { readonly document: unknown }>,
): number {
  const status = answer.unavailable === true ? 503 : operation.answer.status;
  const headers: string[] = [];
  if (answer.revision !== undefined) headers.push('etag', etagOf(answer.revision));
  if (answer.location !== undefined) headers.push('location', answer.location);
  const { type } = operation.answer;
  if (answer.json !== undefined) {
    headers.push('content-type', JSON_TYPE);
    writeAnswer(reply, status, headers, answer.json);
  } else if (answer.body === undefined) writeAnswer(reply, status, headers);
  else if (type === undefined) {
    headers.push('content-type', JSON_TYPE);
    writeAnswer(reply, status, headers, JSON.stringify(answer.body));
  } else {
    headers.push(...(OTHER_HEADERS[type] ?? ['content-type', type]));
    writeAnswer(reply, status, headers, String(answer.body));
  }
  return status;
}

/** Sends an answer line by line, as fast as the caller reads it. Rejects when it broke off, unless the caller hung up. */
export async function sendStream(reply: Outgoing, stream: Stream): Promise<void> {
  reply.hijack();
  // A proxy that gathers an answer before it passes it on would hold back what is meant to be seen at once.
  const etag = stream.revision === undefined ? [] : ['etag', etagOf(stream.revision)];
  const headers = [...commonHeaders(reply), ...etag, 'content-type', stream.type, 'x-accel-buffering', 'no'];
  reply.raw.writeHead(200, headers);
  if (reply.request.method === 'HEAD') {
    reply.raw.end();
    return;
  }
  try {
    await pipeline(stream.lines, reply.raw, stream.cut === undefined ? {} : { signal: stream.cut });
  } catch (error) {
    if (!isHangUp(error)) throw error;
  }
}

/** The last one is our own doing: the stream was cut because its reader lost the right to it, or does not read. */
const HANG_UPS: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR']);

function isHangUp(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return HANG_UPS.has(code ?? '');
}
