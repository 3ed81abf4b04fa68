/** Real TLS servers on this host, which is let through here alone. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { readNetwork } from '@meshwork/addresses';
import { givenAuthority } from '@meshwork/pki/testing';
import { Outbound, OutboundError } from '@meshwork/service';

const NAME = 'authority.example.net';
const LOOPBACK = [readNetwork('127.0.0.0/8')];

describe('requests to servers of others', () => {
  let server: Server;
  let port: number;
  let roots: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  before(async () => {
    const { root, issue } = await givenAuthority();
    roots = root.certificate;
    const { chain, private_key } = await issue({ names: [`DNS:${NAME}`] });
    server = createServer({ cert: chain, key: private_key }, (request, response) => answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  let lookups = 0;
  const outbound = (over: Partial<ConstructorParameters<typeof Outbound>[0]> = {}) =>
    new Outbound({
      networks: LOOPBACK,
      resolve: async () => {
        lookups++;
        return [{ address: '127.0.0.1', family: 4 }];
      },
      ...over,
    });
  const ask = (over: object = {}, through = outbound()) =>
    through.request({ method: 'GET', url: `https://${NAME}:${port}/`, roots, ...over });
  const refused = async (asked: Promise<unknown>, why: RegExp) => {
    await assert.rejects(asked, (error) => {
      assert.ok(error instanceof OutboundError, String(error));
      assert.match(error.message, why);
      return true;
    });
  };

  it('are answered by a server whose certificate is for the name, over TLS', async () => {
    answer = ({ method, headers }, response) => response.end(`${method} ${headers.host}`);
    const got = await ask();
    assert.deepEqual([got.status, got.body.toString()], [200, `GET ${NAME}:${port}`]);
    await refused(ask({ roots: null }), /cannot be reached: .*(certificate|issuer)/);
    const other = `https://other.example.net:${port}/`;
    await refused(ask({ url: other }), /cannot be reached: .*altnames/);
  });

  it('go to the address that was judged, whatever the name says the next time', async () => {
    answer = (_, response) => response.end('right');
    lookups = 0;
    assert.equal((await ask()).body.toString(), 'right');
    assert.equal(lookups, 1);
    const mixed = outbound({
      resolve: async () => [
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    });
    assert.equal((await ask({}, mixed)).body.toString(), 'right', 'only what is permitted is tried');
  });

  it('do not go to this host, its link or a private network, by whichever spelling', async () => {
    for (const [url, why] of [
      [`https://${NAME}:${port}/`, /127\.0\.0\.1 is an address of this host/],
      [`https://127.1:${port}/`, /127\.0\.0\.1 is an address of this host/],
      [`https://0x7f000001:${port}/`, /127\.0\.0\.1 is an address of this host/],
      [`https://[::1]:${port}/`, /::1 is an address of this host/],
      [`https://[::ffff:127.0.0.1]:${port}/`, /is an address of this host/],
      ['https://169.254.169.254/latest/', /is an address of this host or its link/],
      ['https://192.168.1.1/', /is a private address/],
      ['https://[fd00::1]/', /is a private address/],
      ['https://[64:ff9b::a00:1]/', /is translated/],
      [`http://${NAME}/`, /is not https/],
      [`https://user:secret@${NAME}/`, /has credentials in it/],
      ['nonsense', /is none/],
    ] as const) {
      await refused(ask({ url }, outbound({ networks: [] })), why);
    }
    const stop = new AbortController();
    stop.abort();
    // What is permitted is asked: here it is given up before a packet leaves.
    for (const url of ['https://192.0.2.1/', 'https://10.1.2.3/']) {
      const open = outbound({ networks: [readNetwork('10.0.0.0/8')] });
      await refused(ask({ url, signal: stop.signal }, open), /cannot be reached/);
    }
  });

  it('follow no redirect', async () => {
    answer = (_, response) => response.writeHead(307, { location: 'https://127.0.0.1/' }).end();
    await refused(ask(), /answers with a redirect \(307\), which is not followed/);
  });

  it('end with an answer that is too large or does not end', async () => {
    answer = (_, response) => response.end(Buffer.alloc(300 * 1024));
    await refused(ask(), /answers with more than 256 KiB/);
    answer = (_, response) => void response.write('{');
    await refused(ask({}, outbound({ timeout_ms: 200 })), /did not answer within 0\.2 seconds/);
    const never = outbound({ timeout_ms: 100, resolve: () => new Promise(() => {}) });
    await refused(ask({}, never), /did not answer within 0\.1 seconds/);
    const stop = new AbortController();
    answer = () => stop.abort();
    await refused(ask({ signal: stop.signal }), /cannot be reached/);
  });
});
