/**
 * A shorter way for heartbeats, which are nearly all requests of a coordinator: past the framework, whose generality costs
 * as much as all that we do with one. It takes only what is plain; whatever is odd about a heartbeat goes the usual way,
 * and is answered there (docs/decisions/0017). Gate, validation, use case and errors are the same for both.
 */

import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { OPERATIONS } from '@meshwork/contract';
import { parseJson, type RateLimit, type Validation, validationOf } from '@meshwork/service';
import type { NodeSessions } from '../access/node-session.ts';
import type { Handler, Reply, Stream } from '../areas/handler.ts';
import type { NodeActor, TokenActor } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { ReportWarnings } from '../node-status/report-warnings.ts';
import type { AnswerError } from './answer-errors.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { passGate } from './gate.ts';
import { type PlainHeartbeat, plainHeartbeatOf } from './plain-heartbeat.ts';
import { RequestCall } from './request-call.ts';
import type { RequestWatch } from './request-watch.ts';
import { sendReply } from './send-reply.ts';

const ID = 'agents.heartbeat';
const OPERATION = OPERATIONS[ID];

interface LaneParts {
  readonly mesh: Mesh;
  readonly sessions: NodeSessions;
  readonly warnings: ReportWarnings;
  readonly limit: RateLimit;
  readonly watch: RequestWatch;
  readonly handler: Handler<typeof ID>;
  readonly answerError: AnswerError;
  readonly newRequestId: () => string;
  readonly isClosing: () => boolean;
}

/** Puts the lane before the listeners that the server has so far. */
export function openHeartbeatLane(server: Server, parts: LaneParts): void {
  const [usual] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void];
  const validation = validationOf(OPERATION);
  server.removeAllListeners('request');
  server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    const plain = parts.isClosing() ? null : plainHeartbeatOf(raw);
    if (plain === null) usual(raw, response);
    else serve(parts, new LaneRequest(raw, response, plain, parts), validation);
  });
}

class LaneRequest implements Incoming, Outgoing {
  readonly id: string;
  readonly method = 'POST';
  readonly ip: string;
  readonly authorization: string;
  readonly params: { readonly id: string };
  readonly query: { readonly wait: number | undefined };
  readonly operation = ID;
  readonly incoming: IncomingMessage;
  readonly raw: ServerResponse;
  actor: TokenActor | NodeActor | undefined;
  startedAt: number;

  constructor(
    incoming: IncomingMessage,
    raw: ServerResponse,
    plain: PlainHeartbeat,
    { newRequestId }: Pick<LaneParts, 'newRequestId'>,
  ) {
    this.id = newRequestId();
    this.ip = incoming.socket.remoteAddress ?? '';
    this.authorization = plain.authorization;
    this.params = { id: plain.id };
    this.query = { wait: plain.wait };
    this.incoming = incoming;
    this.raw = raw;
    this.startedAt = performance.now();
  }

  get headers(): IncomingHttpHeaders {
    return this.incoming.headers;
  }

  get request(): Incoming {
    return this;
  }

  hijack(): void {
    // Nothing else answers requests of the lane.
  }
}

function serve(parts: LaneParts, request: LaneRequest, validation: Validation): void {
  const failed = (error: unknown) => void parts.answerError(error, request, request);
  try {
    passGate(parts, OPERATION, request); // before a byte of the body is looked at
  } catch (error) {
    failed(error);
    return;
  }
  whenRead(request.incoming, (bytes) => {
    try {
      const body = validation.body(parseJson(bytes), (pointers) => {
        parts.warnings.unknownMembers(request.params.id, ID, pointers);
      });
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
  if ('lines' in answer || 'document' in answer) throw new Error('A heartbeat is answered with JSON.');
  watch.answered(request, sendReply(request, OPERATION, answer));
}

/** Nearly all bodies come in one piece. One that breaks off needs no answer: its connection is gone. */
function whenRead(incoming: IncomingMessage, read: (bytes: Buffer) => void): void {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.on('end', () => read(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
}
