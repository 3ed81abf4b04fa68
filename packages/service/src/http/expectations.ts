import { MeshError } from '@meshwork/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A request with `Expect: 100-continue` passes the gate before the client sends its body. */
export function routeExpectations(server: FastifyInstance): void {
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.server.on(event, (request, response) => server.routing(request, response));
  }
}

/** Answers `100 Continue`, unless the body is too large anyway. HTTP/1.0 has no such status. */
export function meetExpectation(request: FastifyRequest, reply: FastifyReply, bodyLimit: number): void {
  const { expect, 'content-length': length } = request.headers;
  if (expect === undefined) return;
  if (expect.toLowerCase() !== '100-continue') {
    throw new MeshError('malformed_request', `"Expect: ${expect}" cannot be met.`);
  }
  if (request.raw.httpVersion === '1.1' && Number(length ?? 0) <= bodyLimit) reply.raw.writeContinue();
}
