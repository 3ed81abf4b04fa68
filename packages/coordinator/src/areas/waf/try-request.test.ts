import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATIONS, type Problem, type WafTested } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { type Answers, ProbedNode } from '../../../test/probed-node.ts';
import { WafScene } from '../../../test/waf-scene.ts';

const { node: _, gateway: __, ...found } = OPERATIONS['waf.test'].example.answer;
const { request } = OPERATIONS['waf.test'].example.body;

describe('a request that is tried on a WAF policy', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const open = async (answers: Answers, kinds = ['waf']) => {
    const scene = await WafScene.open(mesh);
    const probed = await new ProbedNode(scene.gateway, answers).start(kinds);
    const attempt = (more: object = {}, token = scene.token) =>
      mesh.ask<WafTested & Problem>('POST', `/v1/waf/policies/${scene.policy.id}/test`, {
        token,
        body: { request, ...more },
      });
    return { scene, probed, attempt };
  };

  it('goes to a gateway, with the exclusions in force and the one that is tried', async () => {
    const { scene, probed, attempt } = await open(() => ({ waf: found }));
    const exclusion = { rule: 942100, tag: null, host: 'a.example', path: '/a', below: false, parameter: null };
    const path = `/v1/waf/policies/${scene.policy.id}/exclusions`;
    await scene.ask('POST', path, { body: { ...exclusion, path: '/draft' } });
    await scene.ask('POST', path, { body: { ...exclusion, path: '/force', draft: false } });
    const got = await attempt({ exclusion });
    assert.deepEqual(
      [got.status, got.body],
      [200, { node: scene.gateway.id, gateway: `gw-${scene.scope.team}`, ...found }],
    );
    const [probe] = probed.probes;
    assert.deepEqual(probe?.waf?.request, request);
    assert.deepEqual(probe?.waf?.policy.exclusions, [{ ...exclusion, path: '/force' }, exclusion]);
    const wrong = await attempt({ exclusion: { ...exclusion, rule: 949110 } });
    assert.deepEqual([wrong.status, wrong.body.errors?.[0]?.pointer], [422, '/exclusion/rule']);
    const named = await attempt({ gateway: `gw-${scene.scope.team}` });
    assert.equal(named.status, 200);
    await probed.stop();
  });

  it('is refused in words where no gateway can, or where it says why it could not', async () => {
    const { scene, probed, attempt } = await open(() => ({ error: 'the rules do not load' }));
    const other = await WafScene.open(mesh);
    const why = async (more: object = {}) => {
      const { status, body } = await attempt(more);
      return [status, body.code, body.detail];
    };
    const gateway = `gw-${scene.scope.team}`;
    assert.deepEqual(
      await why(),
      [409, 'waf_not_tried', `${gateway} could not try it: the rules do not load.`].map((text) =>
        typeof text === 'string' && text.startsWith('gw') ? `G${text.slice(1)}` : text,
      ),
    );
    await probed.stop();
    await scene.gateway.beat({ report: { abilities: { sections: ['waf'], engines: {}, probes: [] } } });
    assert.match(String((await why())[2]), /No node in the scope of the caller can inspect requests/);
    assert.match(String((await why({ gateway }))[2]), /cannot try requests/);
    const hidden = await attempt({ gateway: `gw-${other.scope.team}` });
    assert.deepEqual([hidden.status, hidden.body.code], [404, 'not_found']);
  });

  it('waits for no second one at the same gateway', async () => {
    const asked = Promise.withResolvers<void>();
    let answer = false;
    const { probed, attempt } = await open(() => {
      asked.resolve();
      return answer ? { waf: found } : undefined;
    });
    const first = attempt();
    await asked.promise;
    const second = await attempt();
    assert.deepEqual([second.status, second.body.code], [409, 'waf_not_tried']);
    assert.match(second.body.detail, /trying other requests/);
    assert.match((await first).body.detail, /did not answer within/);
    answer = true;
    assert.equal((await attempt()).status, 200);
    await probed.stop();
  });
});
