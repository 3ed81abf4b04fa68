/** Rule sets with the names of the Core Rule Set 4. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WafReport } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { newFolder } from '../../../../test/new-folder.ts';
import { writeRuleSet4 } from '../../../../test/rule-set-4.ts';
import { exclusionOf, policyOf, ruleOf, wafId } from '../../../../test/waf-section.ts';

const WWW = 'www-1.example.com';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a rule set of version 4', { timeout: 60_000 }, () => {
  const all = new AsyncDisposableStack();
  let scene: GatewayScene;
  let web: Service;
  let version: string;
  before(async () => {
    const folder = all.use(await newFolder());
    version = await writeRuleSet4(folder.path);
    scene = all.use(await gatewayScene({ waf_rules: folder.path }));
    web = await scene.service('web');
  });
  after(() => all.disposeAsync());

  const serve = (over = {}) => {
    const routes = [routeOf({ targets: [web.target(1)], waf: wafId(1) })];
    return scene.server.serve({ section: [ingressOf(1, { routes })], ca: undefined, policies: [policyOf(1, over)] });
  };
  const status = async (path: string, asked = {}) => (await scene.ask(WWW, { path, ...asked })).status;
  const event = async (): Promise<WafReport> => {
    let found: WafReport | undefined;
    await until('an event', async () => {
      await scene.waf.read();
      const observed = scene.waf.observed() ?? {};
      [found] = observed.events ?? [];
      await scene.waf.reported(observed);
      return found !== undefined;
    });
    return found ?? assert.fail();
  };

  it('judges by its thresholds and levels', async () => {
    await serve();
    assert.equal(scene.waf.version, version);
    assert.equal(await status('/?q=hello'), 200);
    assert.equal(await status('/?q=attack'), 403);
    const { score_in, verdict, matches } = await event();
    assert.deepEqual([score_in, verdict, matches[0]?.rule, matches[0]?.fragment], [5, 'blocked', 942100, 'attack']);
    await serve({ thresholds: { inbound: 6 } });
    assert.equal(await status('/?q=attack'), 200);
    assert.equal((await event()).verdict, 'scored');
    await serve({ paranoia: { block: 1, detect: 2 } });
    assert.equal(await status('/?q=odd'), 200);
    const above = await event();
    assert.deepEqual([above.score_in, above.matches[0]?.counts], [0, false]);
    await serve({ paranoia: { block: 2, detect: 2 } });
    assert.equal(await status('/?q=odd'), 403);
    assert.equal((await event()).score_in, 5);
  });

  it('judges by headers alone where that is asked for', async () => {
    const asked = { method: 'POST', headers: { ...FORM, 'x-test': 'attack' }, body: 'q=attack' };
    await serve({ thresholds: { inbound: 10 } });
    assert.equal(await status('/', asked), 403);
    assert.equal((await event()).score_in, 10, 'of headers and body');
    await serve({ early_blocking: true });
    assert.equal(await status('/', asked), 403);
    assert.equal((await event()).score_in, 5, 'of headers');
  });

  it('takes scores of operators, and exclusions', async () => {
    const rules = [ruleOf({ action: 'score', score: 3, when: [{ name: 'mine', test: 'is_there' }] })];
    const exclusions = [exclusionOf({ tag: 'OWASP_CRS', path: '/open' })];
    await serve({ thresholds: { inbound: 8 }, rules, exclusions });
    assert.equal(await status('/?q=attack'), 200);
    assert.equal(await status('/?q=attack&mine=1'), 403);
    assert.equal(await status('/open?q=attack&mine=1'), 200);
    await serve({ thresholds: { inbound: 3 }, rules, exclusions });
    assert.equal(await status('/open?mine=1'), 403, 'what judges has that tag too, and stays');
  });
});
