import { isUtf8 } from 'node:buffer';
import { MeshError, OPERATIONS, type Operation } from '@meshwork/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from './parse-json.ts';

const JSON_TYPE = 'application/json';
/** Every media type that some operation takes. */
const TYPES = new Set<string>([JSON_TYPE, ...Object.values<Operation>(OPERATIONS).flatMap(({ text }) => text ?? [])]);

/**
 * JSON in UTF-8, and where the table says so the text itself. No text at all is no body: then the schema says what is
 * missing, if anything is.
 */
export function takeBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  for (const type of TYPES) {
    server.addContentTypeParser(type, { parseAs: 'buffer' }, (request, bytes, done) => {
      try {
        done(null, bodyOf(request, type, bytes as Buffer));
      } catch (error) {
        done(error as Error);
      }
    });
  }
}

/** A body that does not say what it is can only be what nearly every operation takes. Call it before bodies are read. */
export function assumeJson({ method, headers }: FastifyRequest): void {
  if (method !== 'GET' && method !== 'HEAD') headers['content-type'] ??= JSON_TYPE;
}

function bodyOf(request: FastifyRequest, type: string, bytes: Buffer): unknown {
  const charset = /charset="?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new MeshError('unsupported_media_type', `JSON is sent as UTF-8, not as ${charset}.`);
  }
  const operation: Operation | undefined = request.operation === undefined ? undefined : OPERATIONS[request.operation];
  if (operation?.text !== undefined) {
    if (!isUtf8(bytes)) throw new MeshError('malformed_json', 'The body is not valid UTF-8.');
    return bytes.toString();
  }
  if (type !== JSON_TYPE) throw new MeshError('unsupported_media_type', `Send the body as ${JSON_TYPE}.`);
  return parseJson(bytes);
}
