/** Calls of gRPC through a real nginx, and what their clients are answered when there is no service. */
import assert from 'node:assert/strict';
import type { ClientHttp2Session } from 'node:http2';
import { after, afterEach, before, describe, it } from 'node:test';
import type { AssignedRoute, AssignedTarget, IngressAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene } from '../../../test/gateway-scene.ts';
import { GrpcCall, GrpcServer, grpcSession } from '../../../test/grpc-scene.ts';
import { ingressOf, routeOf, trafficOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { type Certificate, certificate } from '../../../test/tls-server.ts';
import { UNUSED_PORT } from '../../../test/unused-port.ts';

const WWW = 'www-1.example.com';

describe('gRPC through a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let shown: Certificate & { readonly chain: string };
  let one: GrpcServer;
  let other: GrpcServer;
  let session: ClientHttp2Session | undefined;
  before(async () => {
    scene = await gatewayScene();
    shown = await scene.certificate(WWW);
    [one, other] = [await GrpcServer.start('one'), await GrpcServer.start('other')];
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
  afterEach(() => session?.destroy());

  interface Wanted {
    readonly targets?: AssignedTarget[];
    readonly traffic?: Partial<AssignedRoute['traffic']>;
    readonly protocol?: 'grpc' | 'grpcs';
    readonly ca?: string;
    readonly ingress?: Partial<IngressAssignment>;
  }
  const serve = async ({ targets = [one.target(1)], traffic = {}, protocol = 'grpc', ca, ingress }: Wanted = {}) => {
    const routes = [routeOf({ targets, protocol, check: { kind: 'none' }, traffic: trafficOf(traffic) })];
    const assigned = ingressOf(1, { routes, tls: { chain: shown.chain, redirect: true }, ...ingress });
    await scene.server.serve({ section: [assigned], ca });
    session?.destroy();
    session = grpcSession(scene.https_port, WWW, shown.cert);
  };
  const call = (path = '/test.Echo/Call', more?: Readonly<Record<string, string>>) =>
    new GrpcCall(session ?? assert.fail(), WWW, path, more);
  /** One message there and back. */
  const unary = async (path?: string, more?: Readonly<Record<string, string>>, text = 'hello') => {
    const made = call(path, more);
    made.send(text);
    return await made.end();
  };
  const refusal = (status: number, message: string) => ({ http: 200, type: 'application/grpc', status, message });

  it('a call reaches the nodes in turn, with its headers and trailers', async () => {
    await serve({ targets: [one.target(1), other.target(2)] });
    const calls = [];
    for (let number = 0; number < 4; number += 1) {
      const { headers, messages, status } = await unary('/test.Echo/Call', {
        'x-forwarded-for': '192.0.2.1',
        'x-meta': 'm',
      });
      assert.deepEqual([messages, status], [['hello'], refusal(0, 'fine')]);
      calls.push(headers['x-node']);
    }
    assert.deepEqual(calls.toSorted(), ['one', 'one', 'other', 'other']);
    const { te, 'x-meta': meta, 'content-type': type, 'x-forwarded-for': from, ...headers } = one.calls.at(-1) ?? {};
    assert.deepEqual([te, meta, type, from], ['trailers', 'm', 'application/grpc', '127.0.0.1']);
    assert.deepEqual(
      [headers[':authority'], headers['x-forwarded-proto'], headers.connection],
      [WWW, 'https', undefined],
    );
    assert.equal((await scene.control.open()).get(ingressOf(1).id) ?? 0, 0);
  });

  it('a stream passes both ways while it goes on, and is counted', async () => {
    await serve();
    const stream = call('/test.Echo/Stream');
    for (const text of ['first', 'second', 'third']) {
      stream.send(text);
      await until(`${text} is back`, async () => stream.messages.at(-1) === text);
    }
    assert.equal((await scene.control.open()).get(ingressOf(1).id), 1);
    await stream.end();
    assert.deepEqual([stream.messages.length, stream.status], [3, refusal(0, 'fine')]);
    await until(
      'it is not counted any more',
      async () => ((await scene.control.open()).get(ingressOf(1).id) ?? 0) === 0,
    );
    const large = 'x'.repeat(2_000_000);
    assert.deepEqual((await unary('/test.Echo/Large', {}, large)).messages, [large]);
  });

  it('a node that takes no connection is passed by, and without any the client is answered in its own way', async () => {
    const gone = { ...one.target(3), port: UNUSED_PORT };
    await serve({ targets: [gone, one.target(1)] });
    for (let number = 0; number < 3; number += 1) assert.equal((await unary()).status.status, 0);
    await serve({ targets: [gone] });
    const refused = await unary();
    assert.ok(refused.isOnlyHeaders);
    assert.deepEqual(refused.status, refusal(14, 'Service web did not answer as it should.'));
    await serve({ targets: [] });
    assert.deepEqual((await unary()).status, refusal(14, 'Service web did not answer as it should.'));
    await serve();
    assert.equal((await unary('/test.Cut/Call')).status.status, 14);
  });

  it('what takes too long ends with a status', async () => {
    await serve({ traffic: { idle_timeout_s: 1 } });
    assert.deepEqual((await unary('/test.Slow/Call')).status, refusal(4, 'Service web did not answer in time.'));
  });

  it('what may not pass ends with a status', async () => {
    await serve({ traffic: { networks: { allow: [], deny: ['127.0.0.0/8'] } } });
    assert.deepEqual((await unary()).status, refusal(7, 'This service is not open to your network.'));
    await serve({ traffic: { limits: { requests: { rate: '1/m', burst: 1 }, connections: null } } });
    const statuses = [(await unary()).status.status, (await unary()).status.status];
    const limited = await unary();
    assert.deepEqual([...statuses, limited.status.status, limited.isOnlyHeaders], [0, 0, 8, true]);
    await serve({ traffic: { max_body_bytes: 100 } });
    assert.equal((await unary('/test.Echo/Call', {}, 'x'.repeat(95))).status.status, 0);
    const large = await unary('/test.Slow/Call', {}, 'x'.repeat(96));
    assert.deepEqual(large.status, refusal(8, 'The body of the request is larger than this service takes.'));
    const said = await unary('/test.Slow/Call', { 'content-length': '101' }, 'x'.repeat(96));
    assert.equal(said.status.status, 8);
    await serve({ traffic: { max_body_bytes: 0 } });
    assert.equal((await unary()).status.status, 8);
  });

  it('maintenance and a drain end with a status', async () => {
    const maintenance = { message: 'Zurück um 10:00.\n100 % sicher', retry_after_s: 60, allow: [] };
    await serve({ ingress: { maintenance } });
    const { status } = await unary();
    assert.deepEqual({ ...status, message: decodeURIComponent(status.message) }, refusal(14, maintenance.message));
    assert.match(status.message, /^[\x20-\x7e]+$/);
    scene.setAhead(-60_000);
    await serve({ ingress: { draining: true } });
    scene.setAhead(0);
    assert.deepEqual((await unary()).status, refusal(14, 'This gateway takes no new connections for this host name.'));
  });

  it('headers follow the rules of the route', async () => {
    await serve({
      traffic: {
        request_headers: [
          { name: 'Host', value: 'inside.example' },
          { name: 'X-Meta', value: null },
          { name: 'X-Key', value: '$1' },
        ],
        response_headers: [
          { name: 'X-Node', value: null },
          { name: 'X-Added', value: '$2' },
        ],
      },
    });
    const { headers, status } = await unary('/test.Echo/Call', { 'x-meta': 'm' });
    assert.deepEqual([status.status, headers['x-node'], headers['x-added']], [0, undefined, '$2']);
    const seen = one.calls.at(-1) ?? {};
    assert.deepEqual(
      [seen[':authority'], seen['x-meta'], seen['x-key'], seen.te],
      ['inside.example', undefined, '$1', 'trailers'],
    );
  });

  it('headers have names that nginx has room for, or are refused in clear words', async () => {
    const named = (length: number) => ({ traffic: { request_headers: [{ name: 'X'.repeat(length), value: 'v' }] } });
    await serve(named(46));
    assert.equal((await unary()).status.status, 0);
    assert.equal(one.calls.at(-1)?.['x'.repeat(46)], 'v');
    await assert.rejects(serve(named(47)), /cannot be served: the header "X{47}" is not one/);
    const proxies = { networks: ['10.0.0.0/8'], header: 'X'.repeat(47) };
    await assert.rejects(serve({ ingress: { proxies } }), /cannot be served: the header of proxies/);
  });

  it('with TLS, nodes prove their name by the mesh CA', async () => {
    await using folder = await newFolder();
    const root = await certificate(folder.path, 'root', '');
    const stranger = await certificate(folder.path, 'other-root', '');
    await using right = await GrpcServer.start(
      'right',
      await certificate(folder.path, 'right', 'DNS:web-1.mesh', root),
    );
    await using wrong = await GrpcServer.start(
      'wrong',
      await certificate(folder.path, 'wrong', 'DNS:web-1.mesh', stranger),
    );
    await serve({ targets: [right.target(1)], protocol: 'grpcs', ca: root.cert });
    const { headers, status } = await unary();
    assert.deepEqual([headers['x-node'], status.status], ['right', 0]);
    await serve({ targets: [wrong.target(1)], protocol: 'grpcs', ca: root.cert });
    assert.equal((await unary()).status.status, 14);
    await serve({ targets: [right.target(1)], protocol: 'grpcs' });
    assert.match(scene.server.observed()[0]?.problem ?? '', /the roots of the mesh are not known/);
  });
});
