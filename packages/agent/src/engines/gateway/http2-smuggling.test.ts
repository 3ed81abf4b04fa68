/** What HTTP/2 can carry and HTTP/1.1 cannot: nothing of it becomes syntax on the way to the service, which speaks HTTP/1.1. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { exchange, FLAG, FRAME, fieldsBlock, frame, request, usual } from '../../../test/raw-http2.ts';
import { RawService } from '../../../test/raw-service.ts';
import { policyOf, wafId } from '../../../test/waf-section.ts';

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: www-1.example.com\r\n\r\n';
type Fields = ReturnType<typeof usual>;

const without = (name: string): Fields => usual().filter(([one]) => one !== name);
const replaced = (name: string, value: string): Fields =>
  usual().map(([one, old]) => [one, one === name ? value : old]);

/** Nothing of it gets to the service. */
const REFUSED: Readonly<Record<string, Fields>> = {
  'lines within the value of a header': usual('/', [['x-a', `b\r\nTransfer-Encoding: chunked\r\n\r\n${HIDDEN}`]]),
  'a line feed within the value of a header': usual('/', [['x-a', 'b\nX-B: c']]),
  'a NUL within the value of a header': usual('/', [['x-a', 'b\0c']]),
  'lines within a path': usual(`/ HTTP/1.1\r\nHost: www-1.example.com\r\n\r\n${HIDDEN}`),
  'a space within a path': usual('/ HTTP/1.1'),
  'a path without a slash': usual('x'),
  'an empty path': usual(''),
  'lines within a method': replaced(':method', `GET /hidden HTTP/1.1\r\nHost: www-1.example.com\r\n\r\nGET`),
  'a space within a method': replaced(':method', 'GET /hidden'),
  'lines within an authority': replaced(':authority', 'www-1.example.com\r\nX-A: b'),
  'a path twice': usual('/', [[':path', '/hidden']]),
  'a method twice': usual('/', [[':method', 'POST']]),
  'no path': without(':path'),
  'no method': without(':method'),
  'a pseudo header that there is not': usual('/', [[':hidden', 'x']]),
  'a status': usual('/', [[':status', '200']]),
};

/** The service sees one request, with none of these headers. */
const LEFT_OUT: Readonly<Record<string, readonly [fields: Fields, names: readonly string[]]>> = {
  'an encoding': [usual('/', [['transfer-encoding', 'chunked']]), ['transfer-encoding']],
  'headers of a connection': [
    usual('/', [
      ['connection', 'x-request-id'],
      ['keep-alive', 'x'],
      ['upgrade', 'h2c'],
    ]),
    ['upgrade'],
  ],
  'a name with lines': [usual('/', [['x-a: b\r\nx-c', 'd']]), ['x-a', 'x-c']],
  'a name with a colon': [usual('/', [['x-mesh-node: a', 'b']]), ['x-mesh-node']],
  'a name in capitals': [usual('/', [['X-Mesh-Node', 'a']]), ['x-mesh-node']],
};

function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

for (const guard of ['none', 'detect', 'block'] as const) {
  describe(`requests by HTTP/2 that are more than they seem, with the WAF ${guard}`, { timeout: 120_000 }, () => {
    let scene: GatewayScene;
    let service: RawService;
    let tls: { readonly chain: string; readonly redirect: boolean };
    before(async () => {
      [scene, service] = [await gatewayScene(), await RawService.start()];
      const { chain } = await scene.certificate('www-1.example.com');
      tls = { chain, redirect: false };
      await serve(5);
    });
    /** Another one has nginx read its configuration anew. */
    const serve = async (number: number) => {
      const inspected = routeOf({ targets: [service.target(1)], waf: guard === 'none' ? null : wafId(1) });
      const other = routeOf({ path: `/number-${number}`, targets: [service.target(1)] });
      const section = [ingressOf(1, { routes: [inspected, other], tls })];
      const policies = guard === 'none' ? [] : [policyOf(1, { mode: guard })];
      await scene.server.serve({ section, ca: undefined, policies });
    };
    after(async () => {
      await scene[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    });

    const send = (frames: Buffer, streams: readonly number[] = [1]) => {
      service.forget();
      return exchange(scene.https_port, frames, streams);
    };
    /** And the gateway serves on. */
    const goesOn = async () => {
      const { statuses } = await send(request(usual('/on')));
      assert.equal(statuses.get(1), 200);
      assert.deepEqual([service.paths, service.broken], [['/on'], []]);
    };

    it('gets what is usual', goesOn);

    for (const [name, fields] of Object.entries(REFUSED)) {
      it(`refuses ${name}`, async () => {
        const { statuses, resets, is_ended } = await send(request(fields));
        const status = statuses.get(1);
        assert.ok(status === undefined ? resets.has(1) || is_ended : status >= 400, String(status));
        assert.deepEqual([service.paths, service.broken], [[], []]);
      });
    }

    for (const [name, [fields, names]] of Object.entries(LEFT_OUT)) {
      it(`refuses or leaves out ${name}`, async () => {
        await send(request(fields));
        assert.deepEqual(service.broken, []);
        assert.ok(service.requests.length <= 1);
        const found = service.requests.flatMap(({ headers }) => headers.map(([one]) => one.toLowerCase()));
        for (const one of names) assert.ok(!found.includes(one), one);
      });
    }

    it('reads a whole address, a fragment, and a host beside the authority as one request', async () => {
      for (const [fields, path] of [
        [usual('https://www-1.example.com/a'), '/a'],
        [usual('/a#/../hidden'), '/a'],
        [usual('/a', [['host', 'other.example']]), '/a'],
      ] as const) {
        await send(request(fields));
        assert.deepEqual(service.broken, []);
        assert.ok(service.requests.length <= 1);
        for (const found of service.paths) assert.equal(found.split('#')[0], path);
        const hosts = service.requests.flatMap(({ headers }) => headers.filter(([one]) => one === 'Host'));
        for (const [, host] of hosts) assert.equal(host, 'www-1.example.com');
      }
    });

    it('takes bodies for what they are, whatever is said of their length', async () => {
      for (const said of ['0', '4', '99', '4, 4', '+4', 'x']) {
        const fields = replaced(':method', 'POST').concat([['content-length', said]]);
        const head = frame(FRAME.headers, FLAG.end_headers, 1, fieldsBlock(fields));
        await send(Buffer.concat([head, frame(FRAME.data, FLAG.end_stream, 1, Buffer.from(HIDDEN))]));
        assert.deepEqual(
          service.broken.filter((text) => /hidden/.test(text.split('\r\n\r\n')[0] ?? '')),
          [],
          said,
        );
        assert.ok(!service.paths.includes('/hidden'), said);
      }
      await goesOn();
    });

    it('leaves nothing behind of bodies that break off', async () => {
      const old = await scene.workers();
      const fields = replaced(':method', 'POST').concat([['content-length', '4000']]);
      const head = frame(FRAME.headers, FLAG.end_headers, 1, fieldsBlock(fields));
      for (const body of ['x'.repeat(5000), 'x']) {
        await send(Buffer.concat([head, frame(FRAME.data, FLAG.end_stream, 1, Buffer.from(body))]));
      }
      const socket = connect(scene.http_port, '127.0.0.1');
      socket.end('POST / HTTP/1.1\r\nHost: www-1.example.com\r\nContent-Length: 4000\r\n\r\nx').resume();
      await once(socket, 'close');
      await serve(6);
      await until('the workers of before to end', async () => !old.some(isThere));
      await goesOn();
    });

    it('bounds headers that do not end, and tables without a limit', async () => {
      const field = fieldsBlock([['x-a', 'b'.repeat(8000)]]);
      const more = Array.from({ length: 200 }, () => frame(FRAME.continuation, 0, 1, field));
      const endless = Buffer.concat([frame(FRAME.headers, 0, 1, fieldsBlock(usual())), ...more]);
      const heard = await send(endless);
      assert.ok(heard.is_ended || heard.resets.has(1) || (heard.statuses.get(1) ?? 0) >= 400);
      assert.deepEqual(service.paths, []);
      const table = Buffer.concat([Buffer.from([0x3f, 0xe1, 0xff, 0xff, 0x07]), fieldsBlock(usual())]);
      assert.ok((await send(frame(FRAME.headers, FLAG.end_headers | FLAG.end_stream, 1, table))).is_ended);
      await goesOn();
    });

    it('ends a connection on which requests are taken back as fast as they are made', async () => {
      const cancel = Buffer.from([0, 0, 0, 8]);
      const streams = Array.from({ length: 5000 }, (_, index) => 2 * index + 1);
      const frames = streams.flatMap((one) => [request(usual(), one), frame(FRAME.reset, 0, one, cancel)]);
      const { is_ended } = await send(Buffer.concat(frames), streams);
      assert.ok(is_ended);
      assert.ok(service.requests.length < streams.length);
      await until('the gateway serves on', async () => {
        const { statuses } = await send(request(usual('/on')));
        return statuses.get(1) === 200;
      });
    });

    it('judges requests as those by HTTP/1.1', async () => {
      if (guard === 'none') return;
      const { statuses } = await send(request(usual('/found?q=<script>alert(1)</script>')));
      assert.equal(statuses.get(1), guard === 'block' ? 403 : 200);
      await until('its event', async () => {
        await scene.waf.read();
        const found = scene.waf.observed()?.events?.filter(({ path }) => path === '/found') ?? [];
        return found.length === 1 && found[0]?.verdict === (guard === 'block' ? 'blocked' : 'detected');
      });
    });
  });
}
