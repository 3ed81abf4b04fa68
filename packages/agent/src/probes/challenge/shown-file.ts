import type { ClientRequest, IncomingMessage } from 'node:http';
import { http, https } from '../../host/http.ts';
import type { Asked } from './asked.ts';
import { Fault } from './fault.ts';

/** What a client has to show is far shorter. */
const LARGEST_FILE = 1024;
/** A server that sends everybody to TLS is common; more steps than that are a mistake. */
const MOST_REDIRECTS = 3;

/** The file that `http-01` asks for (RFC 8555, 8.3). It follows redirects to the same name only, which is this node. */
export async function shownFile(asked: Asked): Promise<string> {
  const { name, token } = asked;
  let url = new URL(`http://${name}/.well-known/acme-challenge/${token}`);
  for (let count = 0; count <= MOST_REDIRECTS; count++) {
    const response = await get(url, asked);
    const { statusCode: status = 0 } = response;
    if (status === 200) return await textOf(response, url);
    response.destroy();
    const { location } = response.headers;
    if (status < 300 || status >= 400 || location === undefined) {
      throw new Fault('unauthorized', `${url} answered with status ${status}`);
    }
    url = target(location, url, asked);
  }
  throw new Fault('unauthorized', `${url} is behind more than ${MOST_REDIRECTS} redirects`);
}

function target(location: string, from: URL, { name }: Asked): URL {
  const url = URL.parse(location, from.href);
  const isHere = url !== null && url.hostname === name && url.port === '' && /^https?:$/.test(url.protocol);
  if (isHere) return url;
  const shown = JSON.stringify(location.slice(0, 200));
  throw new Fault('unauthorized', `${from} sends on to ${shown}; only ${name} itself, on port 80 or 443, is followed`);
}

function get(url: URL, { name, address, ports, signal }: Asked): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const to = { host: address, path: `${url.pathname}${url.search}`, signal, agent: false };
  const headers = { host: name, accept: '*/*', 'user-agent': 'mesh-agent', connection: 'close' };
  // Whose certificate it is does not matter: the name may have none yet, and the address is that of this node.
  const request: ClientRequest = isTls
    ? https.request({ ...to, headers, port: ports.https, servername: name, rejectUnauthorized: false })
    : http.request({ ...to, headers, port: ports.http });
  request.once('response', resolve);
  request.once('error', reject);
  request.end();
  return promise;
}

async function textOf(response: IncomingMessage, url: URL): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > LARGEST_FILE) throw new Fault('unauthorized', `${url} answered with more than ${LARGEST_FILE} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8').trimEnd();
}
