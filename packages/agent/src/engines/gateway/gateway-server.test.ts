/** nginx as the agent runs it, on loopback: what it serves, and what becomes of it when something goes wrong. */
import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf, type targetOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { runCommand } from '../../host/run-command.ts';
import { startDaemon } from '../../host/start-daemon.ts';

const FULL_DISK_CHILD = join(import.meta.dirname, '../../../test/full-nginx-disk-child.ts');
const WWW = 'www-1.example.com';

describe('a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let api: Service;
  before(async () => {
    scene = await gatewayScene();
    [web, api] = [await scene.service('web'), await scene.service('api')];
  });
  after(() => scene[Symbol.asyncDispose]());

  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const plain = () => ingressOf(1, { routes: [routeOf({ targets: [web.target(1)] })] });

  it('serves a host name by the node of a service, and no other name', async () => {
    await serve(plain());
    assert.deepEqual(await scene.tally(WWW, 3), { web: 3 });
    assert.deepEqual(await scene.tally('WWW-1.Example.com.', 1), { web: 1 });
    for (const other of ['other.example.com', 'x.www-1.example.com', '127.0.0.1', '~^.*$']) {
      assert.ok([400, 421].includes((await scene.ask(other)).status), other);
    }
    assert.equal(await scene.server.fault(), null);
    assert.deepEqual(
      scene.server.observed().map(({ id }) => id),
      [ingressId(1)],
    );
  });

  it('runs as a user that owns nothing, with a folder that others may not enter', async () => {
    for (const pid of await scene.workers()) {
      assert.doesNotMatch(await readFile(`/proc/${pid}/status`, 'utf8'), /^Uid:\t0\t/m);
    }
    const modeOf = async (name: string) => ((await stat(join(scene.path, name))).mode & 0o777).toString(8);
    assert.deepEqual(await Promise.all(['.', 'control', 'tls', 'nginx.conf'].map(modeOf)), [
      '750',
      '700',
      '750',
      '640',
    ]);
  });

  it('sends a path with all that is below it to its own service, and nothing beside it', async () => {
    const routes = [routeOf({ targets: [web.target(1)] }), routeOf({ path: '/api', targets: [api.target(2)] })];
    await serve(ingressOf(1, { routes }));
    const by = async (path: string) => (await scene.ask(WWW, { path })).body;
    const below = ['/api', '/api/', '/api/v1?a=b', '//api/x', '/api%2Fx'];
    assert.deepEqual(
      await Promise.all(below.map(by)),
      below.map(() => 'api'),
    );
    const beside = ['/', '/apis', '/API', '/x/api', '/api/../x'];
    assert.deepEqual(
      await Promise.all(beside.map(by)),
      beside.map(() => 'web'),
    );
    const passed = api.requests.map(({ url }) => url).sort();
    assert.deepEqual(passed, ['//api/x', '/api', '/api/', '/api%2Fx', '/api/v1?a=b'].sort(), 'passed on as it came');
  });

  it('says who asks and how, and believes no client about that', async () => {
    await serve(plain());
    const lies = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      'x-forwarded-user': 'admin',
      x_forwarded_for: '6.6.6.6',
      proxy: 'evil:1',
      upgrade: 'h2c',
      connection: 'Upgrade, HTTP2-Settings',
      'http2-settings': 'AAMAAABkAAQAAP__',
    };
    await scene.ask(WWW, { headers: lies });
    const { headers } = web.requests.at(-1) ?? assert.fail();
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['x-forwarded-proto'], 'http');
    assert.equal(headers['x-forwarded-host'], WWW);
    assert.equal(headers['x-real-ip'], '127.0.0.1');
    assert.equal(headers.host, WWW);
    assert.match(String(headers['x-request-id']), /^[0-9a-f]{32}$/);
    for (const name of [
      'forwarded',
      'x-forwarded-user',
      'x_forwarded_for',
      'proxy',
      'upgrade',
      'connection',
    ] as const) {
      assert.equal(headers[name], name === 'connection' ? headers.connection : undefined, name);
    }
    assert.doesNotMatch(JSON.stringify(headers), /6\.6\.6\.6|evil|h2c|gopher/);
  });

  it('adds and removes nodes without a reload', async () => {
    const both = (...targets: ReturnType<typeof targetOf>[]) => ingressOf(1, { routes: [routeOf({ targets })] });
    await serve(both(web.target(1), api.target(2)));
    const workers = await scene.workers();
    assert.deepEqual(await scene.tally(WWW, 10), { web: 5, api: 5 });
    await serve(both(web.target(1)));
    assert.deepEqual(await scene.tally(WWW, 10), { web: 10 });
    await serve(both(web.target(1), api.target(2, { weight: 0 })));
    assert.deepEqual(await scene.tally(WWW, 10), { web: 10 });
    await serve(both(web.target(1), api.target(2)));
    assert.deepEqual(await scene.tally(WWW, 10), { web: 5, api: 5 });
    assert.deepEqual(await scene.workers(), workers);
  });

  it('says the truth when no node answers, and names no address', async () => {
    await serve(ingressOf(1, { routes: [routeOf({ targets: [] })] }));
    const none = await scene.ask(WWW);
    assert.deepEqual([none.status, none.body], [503, 'No node of service web answers.']);
    const dead = await scene.service('dead');
    const target = dead.target(3);
    await dead.stop();
    const unchecked = { kind: 'none' } as const;
    await serve(ingressOf(1, { routes: [routeOf({ targets: [target], check: unchecked })] }));
    const { status, body, headers } = await scene.ask(WWW);
    assert.deepEqual([status, body], [502, 'Service web did not answer as it should.']);
    assert.equal(headers['cache-control'], 'no-store');
    // A node that fails is tried once, and the request goes to one that answers.
    await serve(ingressOf(1, { routes: [routeOf({ targets: [target, web.target(1)], check: unchecked })] }));
    assert.deepEqual(await scene.tally(WWW, 30), { web: 30 });
  });

  it('keeps what it served when the record cannot be served, and says why', async () => {
    await serve(plain());
    const workers = await scene.workers();
    const hostile = ingressOf(2, { hostname: 'a.example.com; } evil {' });
    await assert.rejects(serve(plain(), hostile), /its host name "a\.example\.com; \} evil \{" is not one/);
    assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
    assert.equal(await scene.server.fault(), null);
    assert.deepEqual(await scene.workers(), workers);
  });

  it('keeps what it served when nginx does not take the configuration, in nginx’s own words', async () => {
    const root = await scene.certificate('root');
    const routesOf = () => [routeOf({ targets: [web.target(1)], protocol: 'https' })];
    await scene.server.serve({ section: [plain(), ingressOf(3, { routes: routesOf() })], ca: root.cert });
    const workers = await scene.workers();
    // The roots are no certificate: nginx finds out when it reads the file.
    const section = [plain(), ingressOf(2, { routes: routesOf() })];
    const broken = scene.server.serve({ section, ca: 'no certificate' });
    await assert.rejects(broken, (error: Error) => {
      assert.match(error.message, /^nginx does not take the configuration: .*ca-\w+\.pem/);
      assert.doesNotMatch(error.message, /candidate|\.tmp/);
      return true;
    });
    assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
    assert.deepEqual(await scene.workers(), workers);
    assert.equal(await scene.server.fault(), null);
    assert.deepEqual(
      scene.server.observed().map(({ id }) => id),
      [ingressId(1), ingressId(3)],
    );
  });

  it('finds out that its files were changed or taken away, and that nginx was killed, and puts all right', async () => {
    await serve(plain());
    const pid = await scene.nginx.pid();
    await writeFile(join(scene.path, 'nginx.conf'), 'events {}\n');
    assert.match((await scene.server.fault()) ?? '', /nginx\.conf was changed/);
    await serve(plain());
    assert.equal(await scene.server.fault(), null);
    assert.equal(await scene.nginx.pid(), pid, 'without a new master');
    scene.lost.length = 0;
    process.kill(pid ?? assert.fail(), 'SIGTERM');
    await until('it is known', async () => scene.lost.length === 1);
    assert.deepEqual(scene.server.observed(), [], 'nothing is served');
    assert.equal(await scene.server.fault(), 'nginx does not run');
    await serve(plain());
    assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
    assert.equal(scene.server.observed().length, 1);
    await rm(scene.path, { recursive: true });
    assert.match((await scene.server.fault()) ?? '', /nginx\.conf was changed/);
    await serve(plain());
    assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
    assert.equal(await scene.server.fault(), null);
  });

  it('comes back when only its master was killed: workers that are left finish what they have', async () => {
    await serve(plain());
    const [pid, left] = [await scene.nginx.pid(), await scene.workers()];
    scene.lost.length = 0;
    process.kill(pid ?? assert.fail(), 'SIGKILL');
    await until('it is known', async () => scene.lost.length === 1);
    assert.equal((await scene.ask(WWW)).body, 'web', 'they serve on');
    await serve(plain());
    assert.deepEqual(await scene.tally(WWW, 3), { web: 3 });
    await until('they are gone', async () => !(await readdir('/proc')).some((name) => left.includes(Number(name))));
    assert.equal(await scene.server.fault(), null);
  });

  it('says which port another program has, and goes on with what it had', async () => {
    await serve(plain());
    const taker = createServer().listen(scene.https_port, '0.0.0.0');
    try {
      const pem = await scene.certificate('www-2.example.com');
      const secure = ingressOf(2, { tls: { chain: pem.chain, redirect: false }, routes: plain().routes });
      const taken = new RegExp(`another program has 0.0.0.0:${scene.https_port}. .*systemctl disable --now nginx`);
      await assert.rejects(serve(plain(), secure), taken);
      assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
      assert.equal(await scene.server.fault(), null);
      await new Promise((resolve) => taker.close(resolve));
      await serve(plain(), secure);
      assert.deepEqual(await scene.tally('www-2.example.com', 2), { web: 2 });
    } finally {
      taker.close();
    }
  });

  it('is taken over by the next agent, with its process and what it serves', async () => {
    await serve(plain());
    const before = [await scene.nginx.pid(), ...(await scene.workers())];
    const next = scene.another();
    await next.server.serve({ section: [plain()], ca: undefined });
    assert.deepEqual([await next.nginx.pid(), ...(await next.nginx.workers())], before);
    assert.equal(await next.server.fault(), null);
    assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
  });

  it('is started anew when its package was upgraded', async () => {
    await using programs = await newFolder();
    const [program, upgrade] = [join(programs.path, 'nginx'), join(programs.path, 'nginx.new')];
    await copyFile('/usr/sbin/nginx', program);
    const environment = { PATH: `${programs.path}:${process.env.PATH}` };
    await using upgraded = await gatewayScene({ start: (daemon) => startDaemon({ ...daemon, environment }) });
    await upgraded.server.serve({ section: [plain()], ca: undefined });
    const before = await upgraded.nginx.pid();
    assert.equal(await upgraded.server.fault(), null);
    await copyFile('/usr/sbin/nginx', upgrade);
    await rename(upgrade, program);
    assert.equal(await upgraded.server.fault(), 'nginx was upgraded, and runs as it was before');
    await upgraded.server.serve({ section: [plain()], ca: undefined });
    assert.equal(await upgraded.server.fault(), null);
    assert.notEqual(await upgraded.nginx.pid(), before);
    assert.deepEqual(await upgraded.tally(WWW, 2), { web: 2 });
  });

  it('goes on when the disk is full, and says so', async () => {
    const said = await runCommand('unshare', ['-m', process.execPath, FULL_DISK_CHILD]);
    assert.deepEqual(said.trim().split('\n'), [
      'its folder cannot be written: the disk is full.',
      'web, and nothing was changed',
      '0 drafts',
      'web, once there is room',
    ]);
  });

  it('leaves nothing when nothing is served any more', async () => {
    await serve(plain());
    const pids = [await scene.nginx.pid(), ...(await scene.workers())];
    await writeFile(join(scene.path, 'temp', 'client_body', 'left'), 'of a worker that was killed');
    await scene.server.remove();
    await assert.rejects(readdir(scene.path), /ENOENT/);
    assert.equal(await scene.nginx.pid(), undefined);
    const listed = await readdir('/proc');
    assert.deepEqual(
      pids.filter((pid) => listed.includes(String(pid))),
      [],
    );
    assert.deepEqual(scene.server.observed(), []);
    assert.equal(await scene.server.fault(), null);
  });
});
