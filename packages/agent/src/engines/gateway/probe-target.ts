/** One check of one node, on a connection of its own. It follows nothing, and reads no more than it needs. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { http, https } from '../../host/http.ts';
import { messageOf } from '../../message-of.ts';
import { askByGrpc } from './grpc-health.ts';
import {
  failed,
  outcomeOf,
  PASSED,
  type ProbedTarget,
  type ProbeOutcome,
  type Running,
  type Settle,
  USER_AGENT,
  unchecked,
} from './probe-outcome.ts';

/** The contract's. */
const MAX_BODY_BYTES = 64 * 1024;

/** Never rejects: whatever happens is an outcome. After an abort it means nothing. */
export async function probeTarget(target: ProbedTarget, signal: AbortSignal): Promise<ProbeOutcome> {
  const { timeout_s, kind } = target.check;
  const { promise, resolve } = Promise.withResolvers<ProbeOutcome>();
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;
  const abort = () => resolve(unchecked('it was ended'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (signal.aborted) abort();
    else running = BY_KIND[kind](target, resolve);
    const late = () => resolve(failed(`${running?.progress() ?? 'no answer'} within ${timeout_s} s`));
    // A process that stood still finds the answer and the end of its time at once: the answer gets its say.
    timer = setTimeout(() => setImmediate(late), timeout_s * 1000);
    return await promise;
  } catch (error) {
    return unchecked(messageOf(error)); // nothing was sent: a port or a name that cannot be one
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    running?.end();
  }
}

const BY_KIND: Readonly<Record<ProbedTarget['check']['kind'], (target: ProbedTarget, settle: Settle) => Running>> = {
  tcp: openConnection,
  http: askByHttp,
  grpc: askByGrpc,
  none: openConnection, // what is not checked does not come here
};

function openConnection({ address, port }: ProbedTarget, settle: Settle): Running {
  const socket = connect({ host: address, port, autoSelectFamily: false });
  socket.once('connect', () => settle(PASSED));
  socket.on('error', (error) => settle(outcomeOf(error)));
  return { end: () => socket.destroy(), progress: () => 'no answer' };
}

function askByHttp(target: ProbedTarget, settle: Settle): Running {
  let progress = 'no answer';
  const request = requestOf(target);
  request.on('error', (error) => settle(outcomeOf(error, target.name)));
  const closed = () => settle(failed('the connection was closed without an answer'));
  request.on('close', closed);
  request.on('response', (response) => {
    request.off('close', closed); // the rest of an answer may still be read then
    progress = 'no end of the answer';
    judge(response, target, settle);
  });
  request.end();
  return { end: () => request.destroy(), progress: () => progress };
}

function requestOf({ address, port, name, hostname, check, tls }: ProbedTarget): ClientRequest {
  const headers = { host: hostname, 'user-agent': USER_AGENT, accept: '*/*', 'accept-encoding': 'identity' };
  const to = { host: address, port, path: check.path, agent: false, headers: { ...headers, connection: 'close' } };
  if (tls === undefined) return http.request(to);
  return https.request({
    ...to,
    agent: new https.Agent({ secureContext: tls }), // its own: with a session from before, no certificate is shown
    servername: name,
    // It is connected by address, and its certificate may be for that too: only the name counts, as for requests.
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  });
}

function judge(response: IncomingMessage, { check }: ProbedTarget, settle: Settle): void {
  const { statusCode = 0 } = response;
  response.on('error', () => settle(failed('the answer was cut short')));
  if (!isIn(check.status, statusCode)) settle(failed(`status ${statusCode} instead of ${check.status}`));
  else if (check.body === null) settle(PASSED);
  else find(check.body, response, settle);
}

/** Keeps only as much of the body as a match may begin in. */
function find(text: string, response: IncomingMessage, settle: Settle): void {
  const missing = failed(`the body does not contain ${JSON.stringify(text)}`);
  let kept: Buffer = Buffer.alloc(0);
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    const seen = Buffer.concat([kept, piece.subarray(0, Math.max(0, MAX_BODY_BYTES - bytes))]);
    bytes += piece.length;
    if (seen.includes(text)) settle(PASSED);
    else if (bytes >= MAX_BODY_BYTES) settle(missing);
    kept = seen.subarray(Math.max(0, seen.length - text.length + 1));
  });
  response.on('end', () => settle(missing));
}

/** `200` or `200-399`. */
function isIn(range: string, status: number): boolean {
  const [first, last = first] = range.split('-').map(Number);
  return first !== undefined && last !== undefined && status >= first && status <= last;
}
