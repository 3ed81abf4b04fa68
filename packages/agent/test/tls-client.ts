/** Clients of a gateway by TLS: who they are, which name they ask for in the handshake, and which in the request. */
import { constants } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import type { SecureVersion, TLSSocket } from 'node:tls';

export interface Client {
  readonly cert?: string;
  readonly key?: string;
}

export interface Asked {
  readonly port: number;
  /** What the handshake is for. */
  readonly servername: string;
  /** What the request is for. Absent: the same. */
  readonly host?: string;
  readonly client?: Client;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly version?: SecureVersion;
  /** Sessions that the server keeps, and no tickets. Only before TLS 1.3 there is a difference. */
  readonly by_session_id?: boolean;
  /** Of an earlier connection. */
  readonly session?: Buffer | undefined;
}

/** Answers with what came back, and whether a session was taken up again. `session`: what the server gave for later. */
export async function askByTls({
  host,
  client = {},
  headers,
  version,
  servername,
  by_session_id = false,
  ...asked
}: Asked) {
  const { session: before, ...to } = asked;
  let session: Buffer | undefined;
  const sent = request({
    ...to,
    ...client,
    ...(by_session_id ? { secureOptions: constants.SSL_OP_NO_TICKET } : {}),
    ...(before === undefined ? {} : { session: before }),
    ...(version === undefined ? {} : { minVersion: version, maxVersion: version }),
    host: '127.0.0.1',
    servername,
    rejectUnauthorized: false,
    agent: false,
    headers: { host: host ?? servername, ...headers },
  });
  sent.on('socket', (socket) => socket.on('session', (one: Buffer) => (session = one)));
  sent.end();
  const [response] = await once(sent, 'response');
  const isReused = (response.socket as TLSSocket).isSessionReused();
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return { status: response.statusCode as number, headers: response.headers, body, isReused, session };
}

export async function askByHttp2({ port, servername, host, client = {}, headers, path = '/' }: Asked) {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ...client, servername, rejectUnauthorized: false });
  try {
    const stream = session.request({ ':path': path, ':authority': host ?? servername, ...headers });
    stream.end();
    const [got] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    let body = '';
    for await (const piece of stream.setEncoding('utf8')) body += piece;
    return { status: Number(got[':status']), headers: got, body };
  } finally {
    session.destroy();
  }
}
