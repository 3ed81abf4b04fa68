import { Readable } from 'node:stream';
import type { Operation, OperationId } from '@meshwork/contract';
import type { FastifyReply } from 'fastify';
import type { Reply, Stream } from '../areas/handler.ts';
import { etagOf } from './request-headers.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPES: Readonly<Record<string, string>> = {
  'text/html': 'text/html; charset=utf-8',
  'text/plain': 'text/plain; version=0.0.4; charset=utf-8', // as Prometheus wants to be told
};

export function sendReply(
  reply: FastifyReply,
  operation: Operation,
  answer: Reply<OperationId> | Stream,
): FastifyReply {
  if ('lines' in answer) return reply.header('content-type', answer.type).send(Readable.from(answer.lines));
  reply.code(answer.unavailable === true ? 503 : operation.answer.status);
  if (answer.revision !== undefined) reply.header('etag', etagOf(answer.revision));
  if (answer.location !== undefined) reply.header('location', answer.location);
  if (answer.body === undefined) return reply.send();
  const { type } = operation.answer;
  if (type === undefined)
    return reply.header('content-type', JSON_TYPE).send(answer.json ?? JSON.stringify(answer.body));
  return reply.header('content-type', TEXT_TYPES[type] ?? type).send(answer.body);
}
