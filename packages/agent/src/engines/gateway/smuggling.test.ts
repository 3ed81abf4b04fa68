/**
 * What is no HTTP/1.1, or could be taken for more than one request: the service behind the gateway reads strictly, and never sees a
 * request that was hidden in another one. The same without a WAF, and with one that detects or blocks.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { RawService } from '../../../test/raw-service.ts';
import { policyOf, wafId } from '../../../test/waf-section.ts';

const HOST = 'Host: www-1.example.com\r\n';
const HIDDEN = `GET /hidden HTTP/1.1\r\n${HOST}\r\n`;
/** Behind each: answered last, where the connection is still one that requests are read from. */
const LAST = `GET /last HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const NONE = '0\r\n\r\n';
const post = (headers: string, body: string) => `POST / HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
const get = (headers: string) => post(headers, '').replace('POST', 'GET');
const length = (bytes: number | string) => `Content-Length: ${bytes}\r\n`;

/** Answered with an error, and nothing of it gets to the service. */
const REFUSED: Readonly<Record<string, string>> = {
  'a length before chunks (CL.TE)': post(length(NONE.length + HIDDEN.length) + CHUNKED, NONE + HIDDEN),
  'a length behind chunks (TE.CL)': post(CHUNKED + length(4), `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n${NONE}`),
  'an encoding that is almost chunked (TE.TE)': post(`${length(4)}Transfer-Encoding: xchunked\r\n`, `abcd${HIDDEN}`),
  'two encodings': post(`${CHUNKED}Transfer-Encoding: identity\r\n`, NONE + HIDDEN),
  'a list of encodings': post('Transfer-Encoding: identity, chunked\r\n', NONE + HIDDEN),
  'a list that ends otherwise': post('Transfer-Encoding: chunked, identity\r\n', NONE + HIDDEN),
  'an encoding in quotes': post('Transfer-Encoding: "chunked"\r\n', NONE + HIDDEN),
  'an encoding behind a tab': post(`Transfer-Encoding:\tchunked\r\n${length(5)}`, NONE + HIDDEN),
  'an encoding behind a vertical tab': post(`Transfer-Encoding: \x0bchunked\r\n${length(5)}`, NONE + HIDDEN),
  'an encoding with a NUL': post(`Transfer-Encoding: chunked\0\r\n${length(5)}`, NONE + HIDDEN),
  'an encoding with a space before its colon': post(`Transfer-Encoding : chunked\r\n${length(5)}`, NONE + HIDDEN),
  'an encoding that is compressed': post('Transfer-Encoding: gzip, chunked\r\n', NONE + HIDDEN),
  'two lengths': post(length(0) + length(HIDDEN.length), HIDDEN),
  'the same length twice': post(length(2) + length(2), `ab${HIDDEN}`),
  'a list of lengths': post(length('2, 2'), `ab${HIDDEN}`),
  'a length with a sign': post(length('+2'), `ab${HIDDEN}`),
  'a negative length': post(length('-1'), HIDDEN),
  'a length in hexadecimal digits': post(length('0x2'), `ab${HIDDEN}`),
  'a length beyond any number': post(length('18446744073709551618'), `ab${HIDDEN}`),
  'chunks in HTTP/1.0': post(CHUNKED, NONE + HIDDEN).replace('HTTP/1.1', 'HTTP/1.0'),
  'a chunk size beyond any number': post(CHUNKED, `ffffffffffffffff2\r\nab\r\n${NONE}${HIDDEN}`),
  'a chunk size that is none': post(CHUNKED, `0x2\r\nab\r\n${NONE}${HIDDEN}`),
  'a negative chunk size': post(CHUNKED, `-2\r\nab\r\n${NONE}${HIDDEN}`),
  'a chunk longer than it says': post(CHUNKED, `1\r\nabc\r\n${NONE}${HIDDEN}`),
  'a carriage return within a header': get('X-A: b\rTransfer-Encoding: chunked\r\n'),
  'a header that is folded': get('X-A: b\r\n Transfer-Encoding: chunked\r\n'),
  'a NUL in a header': get('X-A: b\0c\r\n'),
  'a space before a colon': get('X-A : b\r\n'),
  'a space before the first header': `GET / HTTP/1.1\r\n ${HOST}\r\n`,
  'two hosts': get('Host: other.example\r\n'),
  'no host': `GET / HTTP/1.1\r\n\r\n`,
  'a proxy request': `CONNECT www-1.example.com:80 HTTP/1.1\r\n${HOST}\r\n`,
  'the method TRACE': `TRACE / HTTP/1.1\r\n${HOST}\r\n`,
  'a version that there is not': `GET / HTTP/1.2.3\r\n${HOST}\r\n`,
  'HTTP/2 without TLS': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
};

/** Gets to the service as it is read here, whether or not rules find something in it. */
const PASSED: Readonly<Record<string, readonly [raw: string, line: string, body: string]>> = {
  'chunks with an extension': [post(CHUNKED, `2;a="b"\r\nab\r\n${NONE}`), 'POST / HTTP/1.1', 'ab'],
  'chunks whose extension has a line feed': [post(CHUNKED, `2;\nxx\r\n1\r\nc\r\n${NONE}`), 'POST / HTTP/1.1', 'xxc'],
  'chunks with a trailer': [post(CHUNKED, '1\r\na\r\n0\r\nX-Mesh-Node: x\r\n\r\n'), 'POST / HTTP/1.1', 'a'],
  'lines that end with line feeds': [get('').replaceAll('\r', ''), 'GET / HTTP/1.1', ''],
  'spaces behind an encoding': [post('Transfer-Encoding: chunked \r\n', `1\r\na\r\n${NONE}`), 'POST / HTTP/1.1', 'a'],
  'a whole address in its line': [
    `GET http://www-1.example.com/x HTTP/1.1\r\nHost: other.example\r\n\r\n`,
    'GET /x HTTP/1.1',
    '',
  ],
  'a request as the body of another': [post(length(HIDDEN.length), HIDDEN), 'POST / HTTP/1.1', HIDDEN],
  'an upgrade to HTTP/2': [
    get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
    'GET / HTTP/1.1',
    '',
  ],
  'a length under a name that is no header': [post('Content_Length: 2\r\n', ''), 'POST / HTTP/1.1', ''],
  'headers of ours behind Connection': [get('Connection: X-Forwarded-For, X-Request-Id\r\n'), 'GET / HTTP/1.1', ''],
};

const GUARDS = ['none', 'detect', 'block'] as const;

for (const guard of GUARDS) {
  describe(`requests that are hidden in others, with the WAF ${guard}`, { timeout: 120_000 }, () => {
    let scene: GatewayScene;
    let service: RawService;
    before(async () => {
      [scene, service] = [await gatewayScene(), await RawService.start()];
      const routes = [routeOf({ targets: [service.target(1)], waf: guard === 'none' ? null : wafId(1) })];
      const policies = guard === 'none' ? [] : [policyOf(1, { mode: guard })];
      await scene.server.serve({ section: [ingressOf(1, { routes })], ca: undefined, policies });
    });
    after(async () => {
      await scene[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    });

    /** Until nginx closes the connection. */
    const send = async (raw: string) => {
      service.forget();
      const socket = connect(scene.http_port, '127.0.0.1');
      let text = '';
      socket.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
      });
      socket.on('error', () => undefined); // `close` follows
      socket.write(Buffer.from(raw + LAST, 'latin1'));
      await once(socket, 'close');
      return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
    };

    for (const [name, raw] of Object.entries(REFUSED)) {
      it(`refuses ${name}`, async () => {
        const statuses = await send(raw);
        assert.equal(statuses.length, 1, 'and reads nothing more of the connection');
        assert.ok((statuses[0] ?? 0) >= 400, String(statuses));
        assert.deepEqual([service.paths, service.broken], [[], []]);
      });
    }

    for (const [name, [raw, line, body]] of Object.entries(PASSED)) {
      it(`reads ${name} as one request`, async () => {
        const statuses = await send(raw);
        assert.equal(statuses.filter((status) => status !== 100).length, 2, String(statuses));
        assert.deepEqual(service.broken, []);
        const [first, ...others] = service.requests;
        if (guard === 'block' && statuses[0] === 403) assert.deepEqual(service.paths, ['/last']);
        else {
          assert.deepEqual([first?.line, first?.body], [line, body]);
          assert.deepEqual(
            others.map((one) => one.line),
            ['GET /last HTTP/1.1'],
          );
          const headers = new Map(first?.headers.map(([one, value]) => [one.toLowerCase(), value]));
          assert.equal(headers.get('host'), 'www-1.example.com');
          for (const ours of ['x-forwarded-for', 'x-request-id']) assert.ok(headers.has(ours), ours);
          for (const none of ['x-mesh-node', 'upgrade', 'content_length']) assert.ok(!headers.has(none), none);
        }
      });
    }

    it('does not answer for a host in the line that is not its own', async () => {
      const statuses = await send(`GET http://other.example/x HTTP/1.1\r\n${HOST}\r\n`);
      assert.deepEqual([statuses, service.paths], [[421, 200], ['/last']]);
    });

    it('judges each request of a connection by itself', async () => {
      const attack = `GET /b?q=<script>alert(1)</script> HTTP/1.1\r\n${HOST}\r\n`;
      const statuses = await send(`GET /a HTTP/1.1\r\n${HOST}\r\n${attack}`);
      const isBlocked = guard === 'block';
      assert.deepEqual(statuses, [200, isBlocked ? 403 : 200, 200]);
      assert.equal(service.paths.length, isBlocked ? 2 : 3);
      if (guard === 'none') return;
      await until('its event', async () => {
        await scene.waf.read();
        const found = scene.waf.observed()?.events?.filter(({ path }) => path === '/b') ?? [];
        return found.length === 1 && found[0]?.verdict === (isBlocked ? 'blocked' : 'detected');
      });
    });
  });
}
