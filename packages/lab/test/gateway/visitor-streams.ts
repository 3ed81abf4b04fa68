/** What visitors do that is no request of HTTP/1.1: datagrams, gRPC, and TLS that a service ends itself. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connect2 } from 'node:http2';
import { request } from 'node:https';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Entrance, GrpcAnswer, PassedThrough } from './visitor-calls.ts';

/** Ours: a datagram may be lost, so that it is sent again. */
const AGAIN_MS = 500;

export async function sendDatagram(address: string, port: number, text: string): Promise<string> {
  const socket = createSocket('udp4');
  const send = () => socket.send(text, port, address);
  const timer = setInterval(send, AGAIN_MS);
  try {
    send();
    const [answer] = (await once(socket, 'message')) as [Buffer];
    return answer.toString();
  } finally {
    clearInterval(timer);
    socket.close();
  }
}

/** Messages one after another on one stream: the next is sent when the one before has come back. */
export async function callGrpc(entrance: Entrance, messages: readonly string[]): Promise<GrpcAnswer> {
  const { addresses, host, port, ca } = entrance;
  const [address = ''] = addresses;
  const session = connect2(`https://${host}:${port}`, {
    createConnection: () => connectTls({ host: address, port, servername: host, ca, ALPNProtocols: ['h2'] }),
  });
  try {
    await once(session, 'connect');
    const headers = {
      ':method': 'POST',
      ':path': '/lab.Greeter/Chat',
      'content-type': 'application/grpc',
      te: 'trailers',
    };
    const stream = session.request(headers);
    let found: Record<string, unknown> = {};
    stream.on('response', (first) => {
      found = { ...found, ...first };
    });
    stream.on('trailers', (last) => {
      found = { ...found, ...last };
    });
    const returned: string[] = [];
    const ended = once(stream, 'close');
    for (const message of messages) {
      const text = Buffer.from(message);
      const head = Buffer.alloc(5);
      head.writeUInt32BE(text.length, 1);
      stream.write(Buffer.concat([head, text]));
      const [chunk] = (await Promise.race([once(stream, 'data'), ended])) as [Buffer | undefined];
      if (chunk === undefined) break;
      returned.push(chunk.subarray(5).toString());
    }
    stream.end();
    stream.resume();
    await ended;
    return { status: String(found['grpc-status']), service: String(found['x-service']), returned };
  } finally {
    session.destroy();
  }
}

/** Whose certificate it is, and what the service behind it says. */
export async function passThrough({ addresses, host, port }: Entrance): Promise<PassedThrough> {
  const [address = ''] = addresses;
  // The certificate is of a node of the mesh, and not for this name: the test looks at it.
  const call = request({
    host: address,
    port,
    servername: host,
    headers: { host },
    rejectUnauthorized: false,
    agent: false,
  });
  call.end();
  const [response] = await once(call, 'response');
  const { subjectaltname = '' } = (response.socket as TLSSocket).getPeerCertificate();
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk as string;
  return { names: subjectaltname, service: (JSON.parse(body) as { readonly name: string }).name };
}
