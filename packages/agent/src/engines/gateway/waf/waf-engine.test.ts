/** The WAF as the data plane drives it. */
import assert from 'node:assert/strict';
import { appendFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { WafAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { newFolder } from '../../../../test/new-folder.ts';
import { policyOf, wafId } from '../../../../test/waf-section.ts';
import { hostAbilities } from '../../../data-plane/abilities.ts';
import { HostDataPlane } from '../../../data-plane/host-data-plane.ts';
import { openLog } from '../../../host/log.ts';
import { HeldView } from '../../../view/held-view.ts';
import { openGateway } from '../engine.ts';
import type { GatewayEngine } from '../gateway-engine.ts';

const DEBIAN = '/usr/share/modsecurity-crs';
const WWW = 'www-1.example.com';
const ATTACK = `/?q=${encodeURIComponent("1' or '1'='1")}`;

describe('the engine of a gateway with a WAF', { timeout: 100_000 }, () => {
  const all = new AsyncDisposableStack();
  let scene: GatewayScene;
  let web: Service;
  let rules: string;
  let engine: GatewayEngine;
  let plane: HostDataPlane;
  const view = new HeldView();
  let revision = 0;
  before(async () => {
    rules = all.use(await newFolder()).path;
    await cp(join(DEBIAN, 'rules'), join(rules, 'rules'), { recursive: true });
    scene = all.use(await gatewayScene());
    web = await scene.service('web');
    engine = await openGateway({
      folder: scene.outside,
      gateway: {
        folder: scene.path,
        http_port: scene.http_port,
        https_port: scene.https_port,
        proxy_protocol: [],
        waf: { rules, countries: undefined },
      },
      log: openLog({ log_level: 'silent', log_format: 'text' }, { write: () => undefined }),
      now: () => Date.now(),
      lost: () => undefined,
      news: () => undefined,
      reapply: () => undefined,
    });
    plane = new HostDataPlane({ engines: [engine], keptOut: () => [], relays: () => [], now: () => Date.now() });
  });
  after(async () => {
    view.take({ revision: revision + 1, next_s: 0, ingress: [], waf: [] });
    await plane.apply('ingress', view);
    await all.disposeAsync();
  });

  const take = (waf: WafAssignment[]) => {
    revision += 1;
    const ingress = [ingressOf(1, { routes: [routeOf({ targets: [web.target(1)], waf: wafId(1) })] })];
    view.take({ revision, next_s: 0, self: SELF, ingress, waf });
    void engine.heed(view); // nothing asks who visitors are
  };
  const status = async (path: string) => (await scene.ask(WWW, { path })).status;

  it('says what it can, and by what', async () => {
    const abilities = await hostAbilities([engine]);
    assert.ok(abilities.sections.includes('waf'));
    assert.equal(abilities.engines.crs, '3.3.4');
    assert.match(abilities.engines.modsecurity ?? '', /^3\.0\./);
    assert.deepEqual(engine.prober.kinds, ['waf', 'ingress_proof', 'show_challenge']);
  });

  it('puts a policy into effect, and another form of it', async () => {
    take([policyOf(1)]);
    assert.equal((await plane.apply('ingress', view)).error, undefined);
    const applied = await plane.apply('waf', view);
    assert.deepEqual([applied.revision, applied.error], [revision, undefined]);
    assert.equal(await status(ATTACK), 403);
    take([policyOf(1, { mode: 'detect' })]);
    assert.equal((await plane.apply('waf', view)).error, undefined);
    assert.equal(await status(ATTACK), 200);
    const workers = await scene.workers();
    assert.equal((await plane.apply('waf', view)).error, undefined);
    assert.deepEqual(await scene.workers(), workers, 'nothing is loaded anew for nothing');
  });

  it('reports events until they were reported', async () => {
    await until('events', async () => (plane.observe('changes').waf?.events?.length ?? 0) >= 2);
    const observed = plane.observe('changes');
    assert.deepEqual(plane.observe('changes').waf, observed.waf);
    plane.reported(observed);
    await until('nothing more', async () => plane.observe('changes').waf?.events === undefined);
  });

  it('says of a rule set that cannot be used why, until it can, and serves on', async () => {
    await appendFile(join(rules, 'rules/REQUEST-901-INITIALIZATION.conf'), '\nSecRuleEngine Off\n');
    take([policyOf(1)]);
    assert.equal((await plane.apply('ingress', view)).error, undefined);
    await assert.rejects(plane.apply('waf', view), /SecRuleEngine has no place in a rule set/);
    assert.equal(await status(ATTACK), 403);
    assert.equal((await hostAbilities([engine])).engines.crs, '3.3.4', 'what serves');
    assert.deepEqual(engine.prober.kinds, ['ingress_proof', 'show_challenge']);
    await rm(join(rules, 'rules'), { recursive: true });
    await cp(join(DEBIAN, 'rules'), join(rules, 'rules'), { recursive: true });
    assert.equal((await plane.apply('waf', view)).error, undefined);
    await hostAbilities([engine]);
    assert.deepEqual(engine.prober.kinds, ['waf', 'ingress_proof', 'show_challenge']);
  });

  it('finds out when its rules are changed, and puts them back', async () => {
    const rendered = (await scene.folder.names('waf')).find((name) => name.startsWith('policies-')) ?? '';
    await appendFile(join(scene.path, 'waf', rendered), '\nSecRuleEngine Off\n');
    assert.match((await engine.drift()) ?? '', /was changed/);
    engine.distrust();
    assert.equal((await plane.apply('waf', view)).error, undefined);
    assert.equal(await engine.drift(), null);
    assert.equal(await status(ATTACK), 403);
  });
});

const SELF = {
  name: 'gw-1',
  address: '100.64.0.1/32',
  address6: 'fd6d::1/128',
  tags: [],
  state: 'active' as const,
  routes: [],
  networks: ['127.0.0.0/8'],
};
