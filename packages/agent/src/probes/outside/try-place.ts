/** One try of a check from outside: connects, speaks TLS as a browser does, and asks for the gateway's proof. No redirect is followed. */
import type { IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { checkServerIdentity, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { CheckedPlace, CheckProtocol } from '@meshwork/contract';
import { INGRESS_PROOF_PATH } from '@meshwork/contract/vocabulary';
import { http } from '../../host/http.ts';
import { messageOf } from '../../message-of.ts';
import { certificateOf } from './seen-certificate.ts';

export interface Place {
  readonly address: string;
  readonly port: number;
  readonly protocol: CheckProtocol;
}

interface Asking {
  readonly hostname: string;
  readonly token: string;
  /** Knows the roots of browsers, and those of the mesh. */
  readonly context: SecureContext;
  /** Fingerprints of the mesh's. */
  readonly mesh_roots: ReadonlySet<string>;
  readonly within_ms: number;
  readonly signal: AbortSignal;
}

type Seen = Omit<CheckedPlace, 'address' | 'port' | 'protocol' | 'in_dns'>;

const MAX_WORDS = 200;
/** A proof is far shorter. */
const LARGEST_ANSWER = 1024;
const MAX_HEADERS = 8192;
const ANSWER = /^[A-Za-z0-9_-]{16,86}$/;
const GENERATION = /^[0-9a-f]{1,64}$/;

const UNREACHED: Readonly<Record<string, CheckedPlace['outcome']>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  ETIMEDOUT: 'timed_out',
};

export async function tryPlace(place: Place, asking: Asking): Promise<Seen> {
  const late = AbortSignal.timeout(asking.within_ms);
  const signal = AbortSignal.any([asking.signal, late]);
  const socket = connect({ host: place.address, port: place.port, autoSelectFamily: false });
  const stop = () => socket.destroy(new Error('there was no answer in time'));
  signal.addEventListener('abort', stop, { once: true });
  socket.on('error', () => undefined); // each step below says what it was
  try {
    const unreached = await connected(socket, signal);
    if (unreached !== undefined) return unreached;
    if (place.protocol === 'tcp') return { outcome: 'connected' };
    if (place.protocol === 'http') return await proofFrom(socket, asking);
    return await throughTls(socket, asking);
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

async function connected(socket: Socket, signal: AbortSignal): Promise<Seen | undefined> {
  try {
    await reached(socket, 'connect');
    return undefined;
  } catch (error) {
    if (signal.aborted) return { outcome: 'timed_out' };
    const { code = '' } = error as NodeJS.ErrnoException;
    return { outcome: UNREACHED[code] ?? 'unreachable', detail: words(error) };
  }
}

/** One that is closed before may say no error. */
function reached(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(event, resolve);
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed')));
  return promise;
}

async function throughTls(socket: Socket, asking: Asking): Promise<Seen> {
  const { hostname, context, mesh_roots } = asking;
  const secure: TLSSocket = tlsConnect({
    socket,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    secureContext: context,
    rejectUnauthorized: false, // what it shows is looked at below
    checkServerIdentity: () => undefined,
  });
  secure.on('error', () => undefined);
  try {
    await reached(secure, 'secureConnect');
  } catch (error) {
    return { outcome: 'no_tls', detail: words(error) };
  }
  const shown = secure.getPeerCertificate(true);
  const fits = checkServerIdentity(hostname, shown) === undefined;
  const certificate = certificateOf(shown, { fits, mesh_roots, problem: problemOf(secure) });
  const seen = await proofFrom(secure, asking);
  secure.destroy();
  return { ...seen, certificate };
}

/** Node has the code here, whatever its types say. */
function problemOf({ authorized, authorizationError }: TLSSocket): string | undefined {
  const said: unknown = authorizationError;
  return authorized ? undefined : said instanceof Error ? said.message : String(said);
}

async function proofFrom(socket: Socket, { hostname, token }: Asking): Promise<Seen> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = http.request({
    createConnection: () => socket,
    path: `${INGRESS_PROOF_PATH}${token}`,
    headers: {
      host: isIP(hostname) === 6 ? `[${hostname}]` : hostname,
      'user-agent': 'mesh-agent',
      accept: 'application/json',
      connection: 'close',
    },
    maxHeaderSize: MAX_HEADERS,
  });
  request.once('response', resolve);
  request.on('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed without an answer')));
  request.end();
  try {
    const response = await promise;
    const { statusCode: status = 0 } = response;
    if (status < 100 || status > 999) return { outcome: 'no_http', detail: `the status is ${status}` };
    if (status !== 200) return { outcome: 'answered', status };
    return { outcome: 'answered', status, ...proofIn(await textOf(response)) };
  } catch (error) {
    return { outcome: 'no_http', detail: words(error) };
  } finally {
    request.destroy();
  }
}

/** Empty: it is too long, or was cut short, and so is no proof. */
async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > LARGEST_ANSWER) return '';
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function proofIn(text: string): Pick<CheckedPlace, 'answer' | 'generation'> {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return {}; // a page of another server
  }
  if (typeof said !== 'object' || said === null) return {};
  const { answer, generation } = said as { readonly answer?: unknown; readonly generation?: unknown };
  if (typeof answer !== 'string' || !ANSWER.test(answer)) return {};
  return typeof generation === 'string' && GENERATION.test(generation) ? { answer, generation } : { answer };
}

function words(error: unknown): string {
  return messageOf(error).slice(0, MAX_WORDS);
}
