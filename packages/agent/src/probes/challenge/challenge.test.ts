import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { openssl } from '@meshwork/pki/testing';
import type { Ports } from './asked.ts';
import { answerOf } from './challenge.ts';

const TOKEN = 'a-token-of-the-coordinator';
const HERE = '127.0.0.1';

async function listening(server: Server): Promise<{ port: number } & AsyncDisposable> {
  server.listen(0, HERE);
  await once(server, 'listening');
  const close = async () => {
    server.close();
    if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}

const over = (answer: RequestListener) => listening(createServer(answer));

function ask(
  type: 'http-01' | 'tls-alpn-01',
  ports: Partial<Ports>,
  given: { addresses?: string[]; name?: string } = {},
) {
  const { addresses = [HERE], name = 'git-1.mesh' } = given;
  return answerOf(
    { type, name, token: TOKEN, within_ms: 2000 },
    { addresses, ports: { http: 1, https: 1, ...ports }, signal: new AbortController().signal },
  );
}

describe('http-01', () => {
  it('brings the text of the file, asked for under the name', async () => {
    const asked: unknown[] = [];
    await using server = await over((request, response) => {
      asked.push([request.headers.host, request.url]);
      response.end('token.thumbprint\n');
    });
    assert.deepEqual(await ask('http-01', { http: server.port }), { shown: 'token.thumbprint' });
    assert.deepEqual(asked, [['git-1.mesh', `/.well-known/acme-challenge/${TOKEN}`]]);
  });

  it('asks the next address where the first does not answer, and says of all that none did', async () => {
    await using server = await over((_, response) => response.end('here'));
    const addresses = ['127.0.0.2', HERE];
    assert.deepEqual(await ask('http-01', { http: server.port }, { addresses }), { shown: 'here' });
    const none = await ask('http-01', {}, { addresses });
    assert.equal(none.fault, 'connection');
    assert.match(none.detail ?? '', /ECONNREFUSED 127\.0\.0\.2:1.*; .*ECONNREFUSED 127\.0\.0\.1:1/);
  });

  it('follows no redirect to another name or port, and none forever', async () => {
    for (const to of [
      'http://other.mesh/',
      'http://169.254.169.254/latest',
      'http://git-1.mesh:8080/x',
      'file:///etc/passwd',
      '//else',
    ]) {
      await using server = await over((_, response) => response.writeHead(302, { location: to }).end());
      const { fault, detail } = await ask('http-01', { http: server.port });
      assert.equal(fault, 'unauthorized');
      assert.match(detail ?? '', /only git-1\.mesh itself/);
    }
    let count = 0;
    await using server = await over((_, response) => {
      count++;
      response.writeHead(302, { location: '/again' }).end();
    });
    assert.match((await ask('http-01', { http: server.port })).detail ?? '', /more than 3 redirects/);
    assert.equal(count, 4);
  });

  it('follows a redirect to TLS on the same name', async () => {
    await using pair = await selfSigned();
    const tls = createTlsServer({ key: pair.key, cert: pair.cert }, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nover!'));
    });
    await using secure = await listening(tls);
    const location = `https://git-1.mesh/.well-known/acme-challenge/${TOKEN}`;
    await using server = await over((_, response) => response.writeHead(301, { location }).end());
    assert.deepEqual(await ask('http-01', { http: server.port, https: secure.port }), { shown: 'over!' });
  });

  it('says what else was answered: another status, too much, nothing in time', async () => {
    await using missing = await over((_, response) => response.writeHead(404).end('no'));
    assert.match((await ask('http-01', { http: missing.port })).detail ?? '', /answered with status 404$/);
    await using large = await over((_, response) => response.end('x'.repeat(2000)));
    assert.match((await ask('http-01', { http: large.port })).detail ?? '', /more than 1024 bytes/);
    await using silent = await over(() => undefined);
    const challenge = { type: 'http-01', name: 'git-1.mesh', token: TOKEN, within_ms: 50 } as const;
    const { signal } = new AbortController();
    const got = await answerOf(challenge, { addresses: [HERE], ports: { http: silent.port, https: 1 }, signal });
    assert.deepEqual(got, { fault: 'connection', detail: 'there was no answer in time' });
  });

  it('takes no name that is none', async () => {
    await assert.rejects(ask('http-01', {}, { name: 'x\r\nHost: y' }), /is not a name/);
    await assert.rejects(ask('http-01', {}, { addresses: [] }), /no address in the mesh yet/);
  });
});

describe('tls-alpn-01', () => {
  it('brings the certificate that is shown for the name', async () => {
    await using pair = await selfSigned();
    const seen: string[] = [];
    const tls = createTlsServer({
      key: pair.key,
      cert: pair.cert,
      ALPNProtocols: ['acme-tls/1'],
      SNICallback: (name, done) => {
        seen.push(name);
        done(null);
      },
    });
    await using server = await listening(tls);
    const { shown = '' } = await ask('tls-alpn-01', { https: server.port });
    assert.equal(`${pair.cert}`.replaceAll(/-----.*-----|\s/g, ''), shown);
    assert.deepEqual(seen, ['git-1.mesh']);
  });

  it('tells a server without the protocol, and one that is not TLS, from one that is not there', async () => {
    await using pair = await selfSigned();
    await using plain = await listening(createTlsServer({ key: pair.key, cert: pair.cert }));
    assert.match((await ask('tls-alpn-01', { https: plain.port })).detail ?? '', /does not speak acme-tls\/1$/);
    await using http = await over((_, response) => response.end());
    assert.equal((await ask('tls-alpn-01', { https: http.port })).fault, 'tls');
    assert.equal((await ask('tls-alpn-01', {})).fault, 'connection');
  });
});

async function selfSigned() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'mesh-challenge-'));
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  await openssl(['req', '-x509', ...ec, '-subj', '/CN=git-1.mesh', '-days', '1', '-keyout', key, '-out', cert]);
  return {
    key: await readFile(key, 'utf8'),
    cert: await readFile(cert, 'utf8'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
