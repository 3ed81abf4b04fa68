/** What an authority will find, asked of nginx itself as the authority will ask it: what was put somewhere proves nothing of what is shown. */
import { X509Certificate } from 'node:crypto';
import { connect as connectSocket, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { messageOf } from '../../../message-of.ts';
import { CHALLENGE_PATH } from '../lua/challenges.ts';
import type { GatewayPorts } from '../nginx-input.ts';
import { ACME_TLS } from './challenge-streams.ts';

/** Ours: nginx answers within milliseconds. */
const WITHIN_MS = 4000;
const MOST_BYTES = 16_384;
const LOOPBACK = '127.0.0.1';
/** Where load balancers are in front, every connection begins with it. This says nothing of where it came from. */
const PROXY_PROTOCOL = 'PROXY UNKNOWN\r\n';

interface FileWanted {
  readonly hostname: string;
  readonly token: string;
  readonly key_authorization: string;
}

/** Rejects with what is wrong. */
export async function lookAtFile(ports: GatewayPorts, { hostname, token, key_authorization }: FileWanted) {
  const socket = dial(ports, ports.http_port);
  socket.write(`GET ${CHALLENGE_PATH}${token} HTTP/1.0\r\nHost: ${hostname}\r\n\r\n`);
  const answer = await within(socket, 'the port for HTTP', async () => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of socket as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw new Error('the answer is too large');
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('latin1');
  });
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status !== '200') throw new Error(`nginx answers with ${status ?? 'no HTTP'} where the answer should be`);
  if (rest.join('\r\n\r\n') !== key_authorization) throw new Error('nginx shows another answer');
}

/** Rejects with what is wrong. `certificate`: in PEM. */
export async function lookAtCertificate(ports: GatewayPorts, hostname: string, certificate: string): Promise<void> {
  const socket = dial(ports, ports.https_port);
  const seen = await within(socket, 'the port for HTTPS', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    // Signed by itself, as the protocol has it: it is compared.
    const secure = connect({ socket, servername: hostname, ALPNProtocols: [ACME_TLS], rejectUnauthorized: false });
    secure.on('error', reject);
    secure.on('close', () => reject(new Error('the handshake was ended')));
    secure.on('secureConnect', () => {
      const { raw } = secure.getPeerCertificate();
      if (secure.alpnProtocol !== ACME_TLS || raw === undefined) reject(new Error(`no ${ACME_TLS} was agreed on`));
      else resolve(raw);
    });
    return await promise.finally(() => secure.destroy());
  });
  if (!seen.equals(new X509Certificate(certificate).raw)) throw new Error('nginx shows another certificate');
}

function dial({ proxy_protocol = [] }: GatewayPorts, port: number): Socket {
  const socket = connectSocket({ host: LOOPBACK, port });
  if (proxy_protocol.length > 0) socket.write(PROXY_PROTOCOL);
  return socket;
}

async function within<T>(socket: Socket, where: string, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const end = () => late.reject(new Error(`nginx did not answer within ${WITHIN_MS / 1000} s`));
  const timer = setTimeout(() => setImmediate(end), WITHIN_MS);
  socket.on('error', (error) => late.reject(error));
  try {
    return await Promise.race([work(), late.promise]);
  } catch (error) {
    throw new Error(`${where} does not show the answer: ${messageOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
