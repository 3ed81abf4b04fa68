import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { MAX_SHOWN } from '@meshwork/contract/vocabulary';
import type { Asked } from './asked.ts';
import { Fault } from './fault.ts';

const PROTOCOL = 'acme-tls/1';

/** The certificate that `tls-alpn-01` asks for (RFC 8737). What it says is for the coordinator to read. */
export async function shownCertificate({ name, address, ports, signal }: Asked): Promise<string> {
  const where = `${address} port ${ports.https}`;
  const socket = connect({
    host: address,
    port: ports.https,
    servername: name,
    ALPNProtocols: [PROTOCOL],
    rejectUnauthorized: false, // it is signed by itself
  });
  const stop = () => socket.destroy(new Error('there was no answer in time'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await handshake(socket, where);
    if (socket.alpnProtocol !== PROTOCOL) throw new Fault('unauthorized', `${where} does not speak ${PROTOCOL}`);
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) throw new Fault('unauthorized', `${where} shows no certificate`);
    const text = certificate.raw.toString('base64');
    if (text.length > MAX_SHOWN) throw new Fault('unauthorized', `${where} shows a certificate that is too large`);
    return text;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** An error after the connection stands is one of TLS. */
async function handshake(socket: TLSSocket, where: string): Promise<void> {
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
  });
  try {
    await once(socket, 'secureConnect');
  } catch (error) {
    if (!isConnected) throw error;
    throw new Fault('tls', `${where} ended the TLS handshake: ${(error as Error).message}`);
  }
}
