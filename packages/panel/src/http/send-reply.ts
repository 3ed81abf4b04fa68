import type { PanelOperation, PanelOperationId } from '@meshwork/contract';
import { type ChosenForm, etagOf, METRICS_TYPE } from '@meshwork/service';
import type { FastifyReply } from 'fastify';
import type { Reply } from '../areas/handler.ts';
import type { Site } from '../site.ts';
import { keptCookie, sessionCookie } from './cookies.ts';

interface Sent {
  readonly answer: Reply<PanelOperationId>;
  readonly site: Site;
}

/** Sends a file or a document in the form that suits the client. */
export function sendForm(reply: FastifyReply, { status, headers, bytes }: ChosenForm): FastifyReply {
  reply.code(status);
  for (let index = 0; index < headers.length; index += 2) reply.header(headers[index] as string, headers[index + 1]);
  return reply.send(bytes);
}

export function sendReply(reply: FastifyReply, operation: PanelOperation, { answer, site }: Sent): FastifyReply {
  const { body, revision, location, session_secret } = answer;
  reply.code(answer.unavailable === true ? 503 : operation.answer.status);
  if (revision !== undefined) reply.header('etag', etagOf(revision));
  if (location !== undefined) reply.header('location', location);
  for (const kept of answer.kept ?? []) reply.header('set-cookie', keptCookie(site, kept));
  if (session_secret !== undefined) reply.header('set-cookie', sessionCookie(site, session_secret));
  if (body === undefined) return reply.send();
  if (operation.answer.type !== undefined) return reply.type(METRICS_TYPE).send(body);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}
