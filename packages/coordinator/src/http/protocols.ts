import type { Log } from '@meshwork/service';
import { endsUnread } from '@meshwork/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Protocol, ProtocolAnswer, ProtocolRequest } from '../areas/protocol.ts';
import type { Refusals } from './refusals.ts';
import type { RequestWatch } from './request-watch.ts';
import { writeAnswer } from './write-answer.ts';

interface Parts {
  readonly protocols: readonly Protocol[];
  readonly refusals: Refusals;
  readonly watch: RequestWatch;
  readonly log: Log;
}

/** Carries the protocols that are not in the table of operations. Each has its media type for itself. */
export function addProtocols(server: FastifyInstance, parts: Parts): void {
  for (const protocol of parts.protocols) {
    server.register(async (own) => {
      own.removeAllContentTypeParsers();
      own.addContentTypeParser(protocol.type, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
      own.setErrorHandler((error, request, reply) =>
        answer(parts, reply, protocol.unread(error, about(protocol, request))),
      );
      own.route({
        method: ['GET', 'HEAD', 'POST'],
        url: `${protocol.path}/*`,
        bodyLimit: protocol.body_limit,
        onRequest: (request, _reply, done) => {
          request.spoken = protocol.name;
          done();
        },
        handler: async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          await answer(parts, reply, await protocol.handle({ ...about(protocol, request), body }));
        },
      });
    });
  }
}

function about({ path }: Protocol, request: FastifyRequest): Omit<ProtocolRequest, 'body'> {
  return {
    method: request.method,
    path: (request.url.split('?', 1)[0] ?? '').slice(path.length),
    origin: `${schemeOf(request)}://${request.headers.host ?? ''}`,
    request: { id: request.id, address: request.ip },
  };
}

/** A proxy may have ended TLS. Who claims that wrongly only gets links that lead nowhere. */
function schemeOf(request: FastifyRequest): 'http' | 'https' {
  if ('encrypted' in request.raw.socket) return 'https';
  return request.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
}

async function answer(parts: Parts, reply: FastifyReply, given: ProtocolAnswer): Promise<FastifyReply> {
  const { request } = reply;
  const { status, refusal, bug, actor } = given;
  if (bug !== undefined) parts.log.error({ err: bug, request_id: request.id, protocol: request.spoken }, 'bug');
  if (actor !== undefined) request.actor = actor;
  if (refusal !== undefined) await parts.refusals.record(refusal);
  const headers = [...given.headers];
  if (endsUnread(reply.raw)) headers.push('connection', 'close');
  writeAnswer(reply, status, headers, request.method === 'HEAD' ? undefined : given.text);
  parts.watch.answered(request, status);
  return reply;
}
