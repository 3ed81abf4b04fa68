/**
 * A shorter way for heartbeats, which are nearly all that a coordinator hears: past the framework, whose generality costs
 * as much as all that we do with one. It takes only what is plain; whatever is odd about a heartbeat goes the usual way,
 * and is answered there (docs/decisions/0017). Gate, validation, use case and errors are the same for both.
 */

import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { HEARTBEAT_BODY_LIMIT, MAX_WAIT_S, OPERATIONS } from '@meshwork/contract';
import { parseJson, type RateLimit, validationOf } from '@meshwork/service';
import type { NodeSessions } from '../access/node-session.ts';
import type { Handler, Reply, Stream } from '../areas/handler.ts';
import type { NodeActor, TokenActor } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { AnswerError } from './answer-errors.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { passGate } from './gate.ts';
import { RequestCall } from './request-call.ts';
import type { RequestWatch } from './request-watch.ts';
import { sendReply } from './send-reply.ts';

const ID = 'agents.heartbeat';
const OPERATION = OPERATIONS[ID];
const PATH = /^\/v1\/nodes\/node_[0-9a-z]{26}\/heartbeat(?:\?wait=\d{1,2})?$/;
const BEFORE_ID = '/v1/nodes/';
const AFTER_ID = BEFORE_ID.length + 'node_'.length + 26;
const BEFORE_WAIT = AFTER_ID + '/heartbeat?wait='.length;

export interface LaneParts {
  readonly mesh: Mesh;
  readonly sessions: NodeSessions;
  readonly limit: RateLimit;
  readonly watch: RequestWatch;
  readonly handler: Handler<typeof ID>;
  readonly answerError: AnswerError;
  readonly newRequestId: () => string;
  readonly isClosing: () => boolean;
}

/** Puts the lane before whoever has listened to the server's requests so far. */
export function openHeartbeatLane(server: Server, parts: LaneParts): void {
  const [usual] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void];
  const validation = validationOf(OPERATION);
  server.removeAllListeners('request');
  server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    const path = parts.isClosing() ? null : plainPathOf(raw);
    if (path === null) usual(raw, response);
    else serve(parts, new LaneRequest(raw, response, path, parts), validation.body);
  });
}

interface PlainPath {
  readonly id: string;
  readonly wait: number | undefined;
}

/** Null: not a heartbeat, or an odd one. */
function plainPathOf({ method, url, headers }: IncomingMessage): PlainPath | null {
  if (method !== 'POST' || url === undefined || !url.startsWith(BEFORE_ID) || !PATH.test(url)) return null;
  if (headers['content-type'] !== 'application/json') return null;
  if (headers.expect !== undefined || headers['transfer-encoding'] !== undefined) return null;
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!(length > 0 && length <= HEARTBEAT_BODY_LIMIT)) return null;
  const wait = url.length > BEFORE_WAIT ? Number(url.slice(BEFORE_WAIT)) : undefined;
  return wait !== undefined && wait > MAX_WAIT_S ? null : { id: url.slice(BEFORE_ID.length, AFTER_ID), wait };
}

class LaneRequest implements Incoming, Outgoing {
  readonly id: string;
  readonly method = 'POST';
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: { readonly id: string };
  readonly query: { readonly wait?: number };
  readonly operation = ID;
  readonly incoming: IncomingMessage;
  readonly raw: ServerResponse;
  actor: TokenActor | NodeActor | undefined;
  startedAt: number;

  constructor(incoming: IncomingMessage, raw: ServerResponse, path: PlainPath, { mesh, newRequestId }: LaneParts) {
    this.id = newRequestId();
    this.ip = incoming.socket.remoteAddress ?? '';
    this.headers = incoming.headers;
    this.params = { id: path.id };
    this.query = path.wait === undefined ? {} : { wait: path.wait };
    this.incoming = incoming;
    this.raw = raw;
    this.startedAt = mesh.clock.monotonic();
  }

  get request(): Incoming {
    return this;
  }

  hijack(): void {
    // Nobody else answers here.
  }
}

function serve(parts: LaneParts, request: LaneRequest, validated: (body: unknown) => unknown): void {
  const failed = (error: unknown) => void parts.answerError(error, request, request);
  try {
    passGate(parts, OPERATION, request); // before a byte of the body is looked at
  } catch (error) {
    failed(error);
    return;
  }
  whenRead(request.incoming, (bytes) => {
    try {
      const body = validated(parseJson(bytes));
      const call = new RequestCall<typeof ID>({
        mesh: parts.mesh,
        id: ID,
        request,
        reply: request,
        body,
        wants: undefined,
      });
      const answer = parts.handler(call);
      if (answer instanceof Promise) answer.then((late) => send(parts, request, late)).catch(failed);
      else send(parts, request, answer);
    } catch (error) {
      failed(error);
    }
  });
}

function send({ watch }: LaneParts, request: LaneRequest, answer: Reply<typeof ID> | Stream): void {
  if ('lines' in answer) throw new Error('A heartbeat is not answered with a stream.');
  watch.answered(request, sendReply(request, OPERATION, answer));
}

/** Most bodies come in one piece. One that breaks off is nobody's to answer any more. */
function whenRead(incoming: IncomingMessage, read: (bytes: Buffer) => void): void {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.once('end', () => read(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
}
