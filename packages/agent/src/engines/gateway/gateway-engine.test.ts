/** The engine of a gateway in a data plane, with a real nginx: what is applied, observed, reported and removed. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { HeartbeatReply, IngressAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { until } from '../../../test/namespaces.ts';
import { hostAbilities } from '../../data-plane/abilities.ts';
import { HostDataPlane } from '../../data-plane/host-data-plane.ts';
import { openLog } from '../../host/log.ts';
import { HeldView } from '../../view/held-view.ts';
import { gateway, openGateway } from './engine.ts';
import type { GatewayEngine } from './gateway-engine.ts';
import { frontOf } from './gateway-front.ts';
import { hasModules } from './nginx-host.ts';

const WWW = 'www-1.example.com';

describe('the engine of a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let engine: GatewayEngine;
  let plane: HostDataPlane;
  let view: HeldView;
  let revision = 0;
  const heard = { lost: [] as string[], news: 0, reapplied: 0 };
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    [engine, plane, view] = await opened();
  });
  after(async () => {
    await apply([]); // ends its checks
    await scene[Symbol.asyncDispose]();
  });

  async function opened(): Promise<[GatewayEngine, HostDataPlane, HeldView]> {
    const one = await openGateway({
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
      lost: (_, found) => heard.lost.push(found),
      news: () => {
        heard.news += 1;
      },
      reapply: () => {
        heard.reapplied += 1;
      },
    });
    return [
      one,
      new HostDataPlane({ engines: [one], keptOut: () => [], relays: () => [], now: () => Date.now() }),
      new HeldView(),
    ];
  }

  const self = {
    name: 'gw-1',
    address: '100.64.0.1/32',
    address6: 'fd6d::1/128',
    tags: [],
    state: 'active' as const,
    routes: [],
    networks: ['127.0.0.0/8'],
  };
  const apply = async (ingress: IngressAssignment[], more: Partial<HeartbeatReply> = {}) => {
    revision += 1;
    view.take({ revision, next_s: 0, self, ...more, ingress });
    await engine.heed(view);
    return await plane.apply('ingress', view);
  };
  const plain = (over: Partial<IngressAssignment> = {}) =>
    ingressOf(1, { routes: [routeOf({ targets: [web.target(1)] })], ...over });

  it('says that it can be a gateway, and by what', async () => {
    assert.equal(await hasModules(), true);
    const abilities = await hostAbilities([engine]);
    assert.ok(abilities.sections.includes('ingress'));
    assert.match(abilities.engines.nginx ?? '', /^1\.\d+\.\d+$/);
    const without = { ...engine, traits: engine.traits, versions: async () => ({}), carries: async () => [] };
    assert.ok(!(await hostAbilities([without as unknown as GatewayEngine])).sections.includes('ingress'));
  });

  it('has nothing on the host while nothing is placed on it', async () => {
    assert.equal((await apply([])).error, undefined);
    await assert.rejects(readdir(scene.path), /ENOENT/);
    assert.deepEqual(plane.observe('everything').ingress, []);
    assert.deepEqual(plane.report(), {});
  });

  it('reports what nginx proves to serve, with the nodes behind it', async () => {
    assert.deepEqual(await apply([plain()]), { revision, digest: view.digestOf('ingress') });
    assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
    const [served] = plane.observe('everything').ingress ?? [];
    const upstream = { service: 'web', node: targetOf(1).node, state: 'up', why: null };
    assert.deepEqual([served?.id, served?.connections], [ingressId(1), 0]);
    assert.deepEqual(
      served?.upstreams?.map(({ since: _, ...rest }) => rest),
      [upstream],
    );
    assert.equal(await engine.drift(), null);
    assert.equal(engine.plan('ingress', { view, guard: undefined as never, kept_out: [] }), undefined, 'nothing to do');
  });

  it('has nginx know its peers before they are put into effect, and forget them before that too', async () => {
    const named = (name: string) => ({
      ...{ id: targetOf(7).node, name, address: '127.0.64.7/32', address6: 'fd6d::7/128' },
      ...{ wireguard_key: 'x', endpoints: [], relay: null },
    });
    const mesh = { ...self, address: '127.0.64.1/32' };
    await apply([plain({ mesh_identity: { spiffe_prefix: null } })], { self: mesh, peers: { full: [named('web-7')] } });
    const name = async () => {
      const headers = { host: WWW };
      const sent = request({
        host: '127.0.64.1',
        port: scene.http_port,
        localAddress: '127.0.64.7',
        headers,
        agent: false,
      });
      const [answer] = await once(sent.end(), 'response');
      await once(answer.resume(), 'end');
      return web.requests.at(-1)?.headers['x-mesh-node'];
    };
    assert.equal(await name(), 'web-7');
    for (const [peers, expected] of [
      [{ upsert: [named('db-1')] }, 'db-1'],
      [{ remove: [targetOf(7).node] }, undefined],
    ] satisfies [NonNullable<HeartbeatReply['peers']>, string | undefined][]) {
      revision += 1;
      view.take({ revision, next_s: 0, peers });
      await engine.heed(view);
      assert.equal(await name(), expected);
    }
    await apply([plain()], { self });
  });

  it('passes nothing on to an address that is none of the mesh', async () => {
    const elsewhere = routeOf({ targets: [web.target(1)], check: { kind: 'none' } });
    await apply([plain({ routes: [elsewhere] })], { self: { ...self, networks: ['100.64.0.0/10'] } });
    assert.equal((await scene.ask(WWW)).status, 503);
    await apply([plain()]);
    await until('it is served again', async () => (await scene.ask(WWW)).status === 200);
  });

  it('says how it takes connections, so that nodes of the mesh are led to it only where they are', () => {
    const { http_port, https_port } = scene;
    assert.deepEqual(plane.report(), { gateway_front: { http_port, https_port, proxy_protocol: false } });
    assert.equal(frontOf({ http_port, https_port, proxy_protocol: ['192.0.2.0/24'] }).proxy_protocol, true);
  });

  it('asks for a certificate once it needs one, and shows what it gets', async () => {
    assert.equal(plane.report().gateway_request, undefined);
    await apply([plain({ tls: { chain: null, redirect: false } })]);
    assert.match(plane.observe('changes').ingress?.[0]?.problem ?? '', /it has no certificate yet/);
    const { gateway_request } = plane.report();
    assert.match(gateway_request ?? '', /BEGIN CERTIFICATE REQUEST/);
    assert.equal((await scene.ask(WWW)).status, 200, 'plain HTTP is served meanwhile');
    const ca = await meshCa();
    const chain = await ca.sign(gateway_request ?? '');
    assert.equal((await apply([plain({ tls: { chain, redirect: false } })])).error, undefined);
    const shown = await scene.shownTo(WWW);
    assert.equal(shown.fingerprint256, new X509Certificate(chain).fingerprint256);
    assert.equal(plane.report().gateway_request, gateway_request, 'also for the next one');
  });

  it('is applied anew when the roots of the mesh are others', async () => {
    await apply([plain()], { trust: { roots: ['first'], revocation_lists: [] } });
    const before = heard.reapplied;
    revision += 1;
    view.take({ revision, next_s: 0, trust: { roots: ['second'], revocation_lists: [] } });
    await engine.heed(view);
    await engine.heed(view);
    assert.equal(heard.reapplied, before + 1);
  });

  it('is put right when nginx is killed', async () => {
    await apply([plain()]);
    heard.lost.length = 0;
    process.kill((await scene.nginx.pid()) ?? assert.fail(), 'SIGTERM');
    await until('it is known', async () => heard.lost.length === 1);
    assert.equal(await engine.drift(), 'nginx does not run');
    plane.lost('gateway', 'nginx ended');
    assert.equal((await apply([plain()])).error, undefined);
    assert.equal((await scene.ask(WWW)).status, 200);
    assert.equal(plane.observe('changes').repairs?.[0]?.section, 'ingress');
  });

  it('shows no private key in its diagnosis', async () => {
    const text = await plane.diagnose();
    assert.match(text, /www-1\.example\.com/);
    assert.doesNotMatch(text, /PRIVATE KEY/);
  });

  it('says so when its coordinator is too old to say where ingresses lead', async () => {
    const { routes: _, tls: __, ...older } = plain();
    await assert.rejects(
      apply([older as IngressAssignment]),
      /the coordinator is older than this agent, and does not say where ingresses lead: upgrade it/,
    );
  });

  it('leaves nothing when it is removed, also where there is nothing', async () => {
    await apply([plain()]);
    const pid = await scene.nginx.pid();
    await gateway.remove(scene.outside);
    assert.ok(!(await readdir('/proc')).includes(String(pid)));
    await assert.rejects(readdir(scene.path), /ENOENT/);
    assert.deepEqual(
      (await readdir(scene.outside)).filter((name) => name.startsWith('gateway')),
      [],
    );
    await gateway.remove(scene.outside);
  });
});
