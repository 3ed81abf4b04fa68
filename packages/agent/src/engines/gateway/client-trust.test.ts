/** Revocation lists on their way from the section `trust` to nginx: what they are a reason for, and what they are none for. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { HeartbeatReply, IngressAssignment } from '@meshwork/contract';
import { FEATURES } from '@meshwork/contract/vocabulary';
import { givenAuthority } from '@meshwork/pki/testing';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { until } from '../../../test/namespaces.ts';
import { askByTls } from '../../../test/tls-client.ts';
import { hostAbilities } from '../../data-plane/abilities.ts';
import { HostDataPlane } from '../../data-plane/host-data-plane.ts';
import { openLog } from '../../host/log.ts';
import { HeldView } from '../../view/held-view.ts';
import { openGateway } from './engine.ts';
import type { GatewayEngine } from './gateway-engine.ts';

const WWW = 'www-1.example.com';

describe('a revocation list that is new', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let engine: GatewayEngine;
  let plane: HostDataPlane;
  let ca: Awaited<ReturnType<typeof meshCa>>;
  let chain: string;
  const view = new HeldView();
  let revision = 0;
  let reapplied = 0;
  before(async () => {
    scene = await gatewayScene();
    ca = await meshCa();
    web = await scene.service('web');
    web.server.on('upgrade', (_asked, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    });
    engine = await openGateway({
      folder: scene.outside,
      gateway: {
        folder: scene.path,
        http_port: scene.http_port,
        https_port: scene.https_port,
        proxy_protocol: [],
        waf: { rules: '/usr/share/modsecurity-crs', countries: undefined },
      },
      log: openLog({ log_level: 'silent', log_format: 'text' }, { write: () => undefined }),
      now: () => Date.now(),
      lost: () => undefined,
      news: () => undefined,
      reapply: () => {
        reapplied += 1;
      },
    });
    plane = new HostDataPlane({ engines: [engine], keptOut: () => [], relays: () => [], now: () => Date.now() });
    await beat([open(null)]);
    chain = await ca.sign(plane.report().gateway_request ?? '');
  });
  after(async () => {
    await beat([]);
    await scene[Symbol.asyncDispose]();
  });

  const self = {
    name: 'gw-1',
    address: '100.64.0.1/32',
    address6: 'fd6d::1/128',
    tags: [],
    state: 'active' as const,
    routes: [],
    networks: ['127.0.0.0/8'],
  };
  const trusting = (lists = ca.lists()) => ({ roots: [ca.root], revocation_lists: [...lists] });
  /** An answer to a heartbeat, as the agent takes it in. Answers whether the section has to be applied anew because of the rest. */
  async function beat(ingress: IngressAssignment[] | undefined, more: Partial<HeartbeatReply> = {}) {
    const before = reapplied;
    revision += 1;
    view.take({ revision, next_s: 0, self, ...more, ...(ingress === undefined ? {} : { ingress }) });
    await engine.heed(view);
    const isReapplied = reapplied > before;
    if (ingress !== undefined || isReapplied) assert.equal((await plane.apply('ingress', view)).error, undefined);
    return isReapplied;
  }
  const routes = () => [routeOf({ targets: [web.target(1)] })];
  const open = (own: string | null = chain) => ingressOf(1, { routes: routes(), tls: { chain: own, redirect: true } });
  const guarded = () => ingressOf(1, { routes: routes(), tls: { chain, redirect: true, clients: 'required' } });
  const ask = (client: ReturnType<typeof ca.client>) =>
    askByTls({ port: scene.https_port, servername: WWW, client }).then(({ status }) => status);

  it('is taken by agents that say so', async () => {
    assert.deepEqual((await hostAbilities([engine])).features, [...FEATURES]);
    const without = { ...engine, traits: engine.traits, versions: async () => ({}), carries: async () => [] };
    assert.equal((await hostAbilities([without as unknown as GatewayEngine])).features, undefined);
  });

  it('is no reason to load anything where no client is asked for a certificate', async () => {
    await beat([open()], { trust: trusting() });
    const workers = await scene.workers();
    assert.equal(await beat(undefined, { trust: trusting(ca.lists(['4711'])) }), false);
    await beat([open()]);
    assert.deepEqual(await scene.workers(), workers);
  });

  it('refuses who it names, at once and on kept connections, and cuts no websocket', async () => {
    await beat([guarded()], { trust: trusting() });
    const [client, other] = [ca.client({ names: { dns: ['a.mesh'] } }), ca.client({ names: { dns: ['b.mesh'] } })];
    assert.deepEqual([await ask(client), await ask(other)], [200, 200]);
    const to = { host: '127.0.0.1', port: scene.https_port, servername: WWW, rejectUnauthorized: false, ...client };
    const upgrade = { host: WWW, upgrade: 'websocket', connection: 'Upgrade' };
    const asked = request({ ...to, agent: false, headers: upgrade });
    asked.end();
    const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket];
    const kept = request({ ...to, agent: false, headers: { host: WWW, connection: 'keep-alive' } });
    kept.end();
    const [response] = await once(kept, 'response');
    const ended = once(response.socket, 'close');
    response.resume();
    assert.equal(await beat(undefined, { trust: trusting(ca.lists([client.serial])) }), true);
    assert.deepEqual([await ask(client), await ask(other)], [403, 200]);
    await ended; // a connection from before takes no more requests
    socket.write('still here');
    assert.equal(String((await once(socket, 'data'))[0]), 'still here');
    socket.destroy();
  });

  it('counts the same where the certificate that the gateway shows is of another authority', async () => {
    const authority = await givenAuthority();
    const { chain: brought, private_key } = await authority.issue({ names: [`DNS:${WWW}`] });
    const id = `given_${'1'.padStart(26, '0')}`;
    const section = [
      ingressOf(1, { routes: routes(), tls: { chain: null, given: id, redirect: true, clients: 'required' } }),
    ];
    const more = {
      certificate: { chain, request: false },
      given_certificates: [{ id, chain: brought, private_key }],
      trust: trusting(),
    };
    await beat(section, more);
    const [shown] = plane.observe('everything').ingress ?? [];
    assert.deepEqual([shown?.certificate !== undefined, shown?.problem], [true, undefined]);
    const [client, other] = [ca.client({ names: { dns: ['a.mesh'] } }), ca.client({ names: { dns: ['b.mesh'] } })];
    assert.deepEqual([await ask(client), await ask(other)], [200, 200]);
    assert.equal((await askByTls({ port: scene.https_port, servername: WWW })).status, 403);
    const foreign = await authority.issue({ names: ['DNS:a.mesh'], usage: 'clientAuth' });
    const stranger = { cert: foreign.chain, key: foreign.private_key };
    assert.equal((await askByTls({ port: scene.https_port, servername: WWW, client: stranger })).status, 403);
    await beat(section, { ...more, trust: trusting(ca.lists([client.serial])) });
    assert.deepEqual([await ask(client), await ask(other)], [403, 200]);
    await beat(section, { ...more, trust: trusting(ca.lists().slice(0, 1)) });
    assert.match(plane.observe('everything').ingress?.[0]?.problem ?? '', /a revocation list of the mesh is missing/);
    await beat([guarded()], { given_certificates: [], trust: trusting() });
    assert.equal(plane.observe('everything').ingress?.[0]?.certificate, undefined);
  });

  it('that comes with another section shares its reload', async () => {
    await beat([guarded()], { trust: trusting() });
    const before = await scene.workers();
    await beat([{ ...guarded(), redirects: [{ path: '/old', to: '/new', status: 308, keep: true }] }], {
      trust: trusting(ca.lists(['4711'])),
    });
    const workers = await scene.workers();
    assert.ok(!workers.some((pid) => before.includes(pid)));
    assert.equal(await beat(undefined), false);
    assert.equal(engine.plan('ingress', { view, guard: undefined as never, kept_out: [] }), undefined, 'nothing to do');
    assert.equal(await engine.drift(), null);
  });

  it('that is damaged on the host is put back', async () => {
    await beat([guarded()], { trust: trusting() });
    const [lists = assert.fail()] = (await scene.folder.names('.')).filter((name) => name.startsWith('lists-'));
    await scene.folder.write(lists, 'x');
    assert.match((await engine.drift()) ?? '', /lists-.* was changed/);
    plane.lost('gateway', 'a file was changed');
    await beat([guarded()]);
    assert.equal(await engine.drift(), null);
    await beat([open()]);
    await until('it is gone', async () => !(await scene.folder.names('.')).includes(lists));
  });
});
