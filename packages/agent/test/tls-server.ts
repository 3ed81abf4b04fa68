import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly cert_file: string;
  readonly key_file: string;
}

/** Made by openssl. `names` as it writes them: `IP:127.0.0.1`. Signed by `by`, or by itself. */
export async function certificate(folder: string, name: string, names: string, by?: Certificate): Promise<Certificate> {
  const [cert_file, key_file] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const signer = by === undefined ? [] : ['-CA', by.cert_file, '-CAkey', by.key_file];
  const about = ['-subj', `/CN=${name}`, ...(names === '' ? [] : ['-addext', `subjectAltName=${names}`])];
  await run('openssl', ['req', '-x509', ...NEW_KEY, ...about, ...signer, '-keyout', key_file, '-out', cert_file]);
  const [cert, key] = await Promise.all([readFile(cert_file, 'utf8'), readFile(key_file, 'utf8')]);
  return { cert, key, cert_file, key_file };
}

/** The pin as openssl computes it. */
export async function opensslPin({ cert_file }: Certificate): Promise<string> {
  const pem = await run('openssl', ['x509', '-in', cert_file, '-noout', '-pubkey']);
  const key = Buffer.from(pem.stdout.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const child = run('openssl', ['dgst', '-sha256', '-binary'], { encoding: 'buffer' });
  child.child.stdin?.end(key);
  return `sha256:${(await child).stdout.toString('base64url')}`;
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

/** Answers every request with an empty record, and keeps every byte that came in through TLS. */
export async function tlsServer({ cert, key }: Certificate, port = 0) {
  let received = '';
  let connections = 0;
  let resumed = 0;
  const server = createServer({ cert, key }, (socket) => {
    connections += 1;
    if (socket.isSessionReused()) resumed += 1;
    socket.setEncoding('utf8');
    socket.on('error', () => undefined); // a client that does not trust us hangs up
    socket.on('data', (text: string) => {
      received += text;
      if (text.endsWith('\r\n\r\n')) socket.write(ANSWER);
    });
    sockets.add(socket);
  });
  const sockets = new Set<{ destroy(): void }>();
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    url: `https://127.0.0.1:${at}`,
    port: at,
    get received() {
      return received;
    },
    get connections() {
      return connections;
    },
    get resumed() {
      return resumed;
    },
    hangUp(): void {
      for (const socket of sockets) socket.destroy();
    },
    /** Once no client is connected any more: all that was sent has come in. */
    async alone(): Promise<void> {
      const count = promisify(server.getConnections.bind(server));
      while ((await count()) > 0) await delay(1);
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
export type TlsServer = Awaited<ReturnType<typeof tlsServer>>;
