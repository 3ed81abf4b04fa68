/** A check by the health protocol of gRPC (`grpc.health.v1.Health/Check`), on a connection of its own. */
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { connect as connectPlain, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import { messageOf } from '../../message-of.ts';
import { healthRequest, type ServingState, servingState } from './grpc-message.ts';
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

const PATH = '/grpc.health.v1.Health/Check';
/** Ours: an answer takes seven bytes. */
const MAX_ANSWER_BYTES = 1024;
const MAX_WORDS = 100;

const NO_HTTP2 = failed('the answer is no HTTP/2');
const CLOSED = failed('the connection was closed without an answer');

export function askByGrpc(target: ProbedTarget, settle: Settle): Running {
  let progress = 'no answer';
  const socket = socketTo(target, settle);
  let session: ClientHttp2Session | undefined;
  const begin = () => {
    if (target.tls !== undefined && !('alpnProtocol' in socket && socket.alpnProtocol === 'h2'))
      return settle(NO_HTTP2);
    progress = 'no end of the answer';
    // Loaded by the first such check: most nodes make none.
    const { connect } = process.getBuiltinModule('node:http2');
    session = connect(`http://${target.hostname}`, { createConnection: () => socket, maxSessionMemory: 1 });
    session.on('error', (error) => settle(outcomeOf(error, target.name)));
    ask(session, target, settle);
  };
  socket.once(target.tls === undefined ? 'connect' : 'secureConnect', () => trying(begin, settle));
  const end = () => {
    session?.destroy();
    socket.destroy();
  };
  return { end, progress: () => progress };
}

function trying(work: () => void, settle: Settle): void {
  try {
    work();
  } catch (error) {
    settle(unchecked(messageOf(error)));
  }
}

function socketTo({ address, port, name, tls }: ProbedTarget, settle: Settle): Socket {
  const to = { host: address, port, autoSelectFamily: false };
  const socket =
    tls === undefined
      ? connectPlain(to)
      : connectTls({
          ...to,
          secureContext: tls,
          servername: name,
          ALPNProtocols: ['h2'],
          // It is connected by address, and its certificate may be for that too: only the name counts, as for requests.
          checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
        });
  socket.on('error', (error) => settle(outcomeOf(error, name)));
  socket.on('close', () => settle(CLOSED));
  return socket;
}

function ask(session: ClientHttp2Session, { hostname, check, tls }: ProbedTarget, settle: Settle): void {
  const stream = session.request({
    ':method': 'POST',
    ':scheme': tls === undefined ? 'http' : 'https',
    ':authority': hostname,
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    'user-agent': USER_AGENT,
    'grpc-timeout': `${check.timeout_s}S`,
  });
  stream.on('error', (error) => settle(outcomeOf(error)));
  stream.on('close', () => settle(CLOSED));
  stream.on('response', (headers) => {
    if (headers[':status'] !== 200) settle(failed(`status ${headers[':status']} instead of 200`));
    // An answer that is only an error has what else comes last in its first headers.
    else if (headers['grpc-status'] !== undefined) settle(judge(headers, undefined, check.grpc_service));
    else read(stream, check.grpc_service, settle);
  });
  stream.end(healthRequest(check.grpc_service));
}

function read(stream: ClientHttp2Stream, service: string | null, settle: Settle): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let trailers: IncomingHttpHeaders = {};
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) settle(failed('the answer is larger than one of the health protocol'));
    else pieces.push(piece);
  });
  stream.on('trailers', (headers) => {
    trailers = headers;
  });
  stream.on('end', () => settle(judge(trailers, Buffer.concat(pieces), service)));
}

const UNIMPLEMENTED = '12';
const NOT_FOUND = '5';

function judge(trailers: IncomingHttpHeaders, answer: Buffer | undefined, service: string | null): ProbeOutcome {
  const code = trailers['grpc-status'];
  if (code === undefined) return failed('the answer is no gRPC');
  if (code === UNIMPLEMENTED) return failed('the service has no health protocol');
  if (code === NOT_FOUND) return failed(`the health protocol knows no service ${JSON.stringify(service ?? '')}`);
  if (code !== '0') return failed(`gRPC status ${shown(code)}${worded(trailers['grpc-message'])}`);
  const state = answer === undefined ? undefined : servingState(answer);
  return state === undefined ? failed('the answer is none of the health protocol') : OUTCOMES[state];
}

const OUTCOMES: Readonly<Record<ServingState, ProbeOutcome>> = {
  SERVING: PASSED,
  NOT_SERVING: failed('it says that it does not serve'),
  UNKNOWN: failed('it says that it does not know whether it serves'),
  SERVICE_UNKNOWN: failed('it says that it does not know the service'),
};

function worded(message: string | string[] | undefined): string {
  return message === undefined ? '' : `: ${shown(message)}`;
}

/** From elsewhere: short, and without what a terminal would obey. */
function shown(text: string | string[]): string {
  return String(text)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, MAX_WORDS);
}
