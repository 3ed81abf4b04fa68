import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Ingress, Overview, Posture, WafPolicy } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';
import { WafScene } from '../../../test/waf-scene.ts';

const WITHOUT_WAF = { ...EVERYTHING, sections: EVERYTHING.sections.filter((section) => section !== 'waf') };

describe('an ingress with a WAF policy', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 10_000, burst: 10_000 } } });
  });
  after(() => mesh.close());

  it('brings its gateways the policy, with the exclusions that are in force', async () => {
    const { gateway, policy, ingress, ask } = await opened();
    const exclusion = {
      rule: 942100,
      tag: null,
      host: ingress.hostname,
      path: '/a',
      below: false,
      parameter: null,
    };
    const path = `/v1/waf/policies/${policy.id}/exclusions`;
    await ask('POST', path, { body: exclusion });
    await gateway.beat();
    assert.deepEqual(
      gateway.held.waf.map(({ id, exclusions }) => [id, exclusions]),
      [[policy.id, []]],
    );
    assert.equal(gateway.held.ingress[0]?.routes[0]?.waf, policy.id);
    await ask('POST', path, { body: { ...exclusion, path: '/b', draft: false } });
    await gateway.beat();
    const [sent] = gateway.held.waf;
    assert.deepEqual(sent?.exclusions, [{ ...exclusion, path: '/b' }]);
    assert.equal(sent?.rules.mode, 'block');
    assert.ok(!JSON.stringify(sent).includes('created_by'));
    await mesh.ask('PATCH', `/v1/ingress/${ingress.id}`, { body: { waf: null } });
    await gateway.beat();
    assert.deepEqual([gateway.held.waf, gateway.held.ingress[0]?.routes[0]?.waf], [[], undefined]);
  });

  it('is served only once its policies are in effect', async () => {
    const scene = await WafScene.open(mesh);
    const { gateway } = scene;
    const problem = async () => (await scene.shownIngress()).assigned_to[0]?.problem;
    await gateway.beat({ complete: true });
    const { waf, ...rest } = gateway.applied();
    const serving = { observed: { ingress: [{ id: scene.ingress.id, connections: 0 }] } };
    await gateway.beat({ applied: rest, ...serving });
    assert.match((await problem()) ?? '', /certificate|WAF policies are not in effect/);
    const { gateways } = await scene.shownPolicy();
    assert.deepEqual([gateways[0]?.name, gateways[0]?.in_force], [`gw-${scene.scope.team}`, false]);
    assert.ok(waf);
    await gateway.beat({ applied: { waf } });
    assert.equal((await scene.shownPolicy()).gateways[0]?.in_force, true);
    assert.doesNotMatch((await problem()) ?? '', /WAF/);
    const { body } = await scene.ask<Posture>('GET', `/v1/nodes/${gateway.id}/posture`);
    assert.deepEqual([body.sections.waf.carried, body.sections.waf.in_sync], [true, true]);
    await scene.ask('PATCH', `/v1/waf/policies/${scene.policy.id}`, { body: { mode: 'detect' } });
    assert.match((await scene.shownPolicy()).gateways[0]?.problem ?? '', /Not in effect/);
  });

  it('is taken at once from a gateway that cannot inspect any more, and says what is missing', async () => {
    const scene = await WafScene.open(mesh);
    const { gateway } = scene;
    await gateway.beat();
    assert.equal(gateway.held.ingress.length, 1);
    await gateway.beat({ report: { abilities: WITHOUT_WAF } });
    await gateway.beat();
    assert.deepEqual(gateway.held.ingress, [], 'also before it is placed anew');
    await mesh.until(async () => (await scene.shownIngress()).assigned_to.length === 0);
    assert.match((await scene.shownIngress()).problem ?? '', /runs no WAF, which the ingress needs/);
    const { body } = await scene.ask<Overview>('GET', '/v1/overview');
    const [found] = body.attention.filter(({ kind }) => kind === 'waf_not_in_force');
    assert.deepEqual([found?.subject.id, found?.severity], [scene.ingress.id, 'critical']);
    await gateway.beat({ report: { abilities: EVERYTHING } });
    await mesh.until(async () => (await scene.shownIngress()).assigned_to.length === 1);
  });

  it('is never placed on a gateway that cannot inspect, also when its policy is off', async () => {
    const scene = await WafScene.open(mesh, { policy: { mode: 'off' } });
    const plain = await TestNode.enroll(mesh, {
      name: `plain-${scene.scope.team}`,
      tags: ['role:gateway'],
      token: scene.token,
    });
    await plain.beat({ complete: true, report: { abilities: WITHOUT_WAF } });
    await mesh.ask('PATCH', `/v1/ingress/${scene.ingress.id}`, { body: { replicas: 2 } });
    await mesh.until(async () => /runs no WAF/.test((await scene.shownIngress()).problem ?? ''));
    await plain.beat();
    assert.deepEqual(plain.held.ingress, []);
    const other = { name: 'plain', hostname: `plain-${scene.scope.team}.example.net`, scope: scene.scope };
    const made = await mesh.ask<Ingress>('POST', '/v1/ingress', {
      body: { ...other, service: 'web', gateways: [`node:plain-${scene.scope.team}`] },
    });
    await mesh.until(async () => {
      const { body } = await mesh.ask<Ingress>('GET', `/v1/ingress/${made.body.id}`);
      return body.assigned_to.length === 1;
    });
    await mesh.ask('PATCH', `/v1/ingress/${made.body.id}`, { body: { waf: scene.policy.id } });
    await plain.beat();
    assert.deepEqual(plain.held.ingress, [], 'given a policy, it is not served there for a moment longer');
  });

  it('shows a gateway whose rule set is not maintained any more', async () => {
    const scene = await WafScene.open(mesh);
    const attention = async () => {
      const { body } = await scene.ask<Overview>('GET', '/v1/overview');
      return body.attention.filter(({ kind }) => kind === 'waf_rule_set_old').map(({ detail }) => detail);
    };
    assert.deepEqual(await attention(), []);
    await scene.gateway.beat({ report: { abilities: { ...EVERYTHING, engines: { crs: '3.3.4' } } } });
    assert.match((await attention())[0] ?? '', /3\.3\.4/);
    assert.equal((await scene.shownPolicy()).gateways[0]?.rule_set, '3.3.4');
    await scene.gateway.beat({ report: { abilities: { ...EVERYTHING, engines: { crs: '4.25.0' } } } });
    assert.deepEqual(await attention(), []);
  });

  it('shows a gateway that cannot put its policies in force', async () => {
    const scene = await WafScene.open(mesh);
    await scene.gateway.beat({ complete: true });
    const { waf } = scene.gateway.applied();
    assert.ok(waf);
    await scene.gateway.beat({ applied: { waf: { ...waf, error: 'the rules do not load' } } });
    const { body } = await scene.ask<Overview>('GET', '/v1/overview');
    const [found] = body.attention.filter(({ kind }) => kind === 'waf_not_in_force');
    assert.deepEqual([found?.subject.id, found?.severity], [scene.gateway.id, 'warning']);
    assert.match(found?.detail ?? '', /the rules do not load/);
  });

  const opened = async () => {
    const scene = await WafScene.open(mesh);
    await scene.gateway.settle();
    const ask = (method: string, path: string, more: object) => scene.ask<WafPolicy>(method, path, more);
    return { gateway: scene.gateway, policy: scene.policy, ingress: scene.ingress, ask };
  };
});
