import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AnswerOf, Authority, Certificate, Operations, Problem, Rotation } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { requestOf, verifyChain } from '@meshwork/pki/testing';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

describe('a rotation of the authorities', { timeout: 300_000 }, () => {
  let mesh: TestCoordinator;
  let nodes: TestNode[];

  beforeEach(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
    // Hours pass here within a moment, and no node sends heartbeats meanwhile.
    const nodes_settings = { stale_after_s: 3600, unreachable_after_s: 86_400 };
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: nodes_settings } });
    nodes = [await member('a'), await member('b')];
    for (const node of nodes) await certified(node);
  });
  afterEach(() => mesh.close());

  const show = async () => (await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')).body;
  const rotate = (body: object = {}) => mesh.ask<Rotation & Problem>('POST', '/v1/ca/rotate', { body });
  const text = async (path: string) => (await mesh.ask('GET', path, { token: null })).text;
  const states = async () => (await show()).authorities.map(({ role, state }) => `${state} ${role}`).sort();
  const verify = async (chain: string) =>
    verifyChain({
      roots: await text('/v1/ca/bundle'),
      revocation_lists: await text('/v1/ca/crl'),
      chain,
      at_ms: mesh.clock.now(),
    });
  const chainOf = (node: TestNode) => node.held.certificate?.chain ?? '';

  async function member(name: string): Promise<TestNode> {
    const node = await TestNode.enroll(mesh, { name });
    await node.beat({ report: { abilities: EVERYTHING } });
    await node.beat({ applied: node.applied() });
    return node;
  }

  /** Sends requests as it is asked to, until it has a certificate, and one of this authority if that is named. */
  async function certified(node: TestNode, issuer?: string): Promise<void> {
    await mesh.until(async () => {
      await node.beat();
      if (node.held.certificate?.request === true) {
        await node.beat({ report: { certificate_request: (await makeRequest()).request } });
        return false;
      }
      if (chainOf(node) === '') return false;
      const { record, certificate } = await currentOf(node);
      return certificate.chain === chainOf(node) && (issuer === undefined || record.issuer === issuer);
    });
    await node.beat({ applied: node.applied() });
  }

  async function currentOf(node: TestNode) {
    const path = `/v1/ca/certificates?node=${node.id}&current=true`;
    const [record] = (await mesh.ask<{ items: Certificate[] }>('GET', path)).body.items;
    assert.ok(record);
    const got = await mesh.ask<Certificate & { chain: string }>('GET', `/v1/ca/certificates/${record.id}`);
    return { record, certificate: got.body };
  }

  /** Takes in what there is, and says that it is in effect. */
  async function prove(node: TestNode): Promise<void> {
    await node.beat();
    await node.beat({ applied: node.applied() });
  }

  const published = () =>
    mesh.until(async () => {
      const { authorities } = await show();
      return authorities.every(({ revocation_list }) => revocation_list !== null);
    });
  const switched = () => mesh.until(async () => (await show()).rotation?.switched_at !== null);

  async function passed(seconds: number): Promise<void> {
    mesh.clock.advance(seconds);
    for (const node of nodes) {
      await node.prove();
      await node.beat({ applied: node.applied() });
    }
  }

  it('is used only when every fresh node has proven that it trusts it, and shows which has not', async () => {
    const [a, b] = nodes;
    assert.ok(a && b);
    const started = await rotate();
    assert.deepEqual([started.status, started.body.state, started.body.nodes.fresh], [200, 'publishing', 2]);
    assert.deepEqual(await states(), ['active intermediate', 'active root', 'published intermediate']);
    assert.equal((await rotate()).body.code, 'rotation_under_way');
    await published();
    await prove(a);
    await mesh.until(async () => (await show()).rotation?.nodes.proven === 1);
    const { rotation } = await show();
    assert.deepEqual([rotation?.waiting, rotation?.switched_at], [[{ id: b.id, name: 'b' }], null]);
    const stranger = await mesh.token({ scope: { team: 'other' }, role: 'viewer' });
    const seen = await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca', { token: stranger.secret });
    assert.deepEqual([seen.body.rotation?.nodes.fresh, seen.body.rotation?.waiting], [2, []]);
    const [newest = ''] = started.body.to;
    const { record } = await currentOf(a);
    assert.notEqual(record.issuer, newest);
    await prove(b);
    await switched();
    assert.deepEqual(await states(), ['active intermediate', 'active root', 'retiring intermediate']);
    const request = await requestOf({ extensions: ['subjectAltName=DNS:a.mesh'] });
    const issued = await mesh.ask<Certificate & { chain: string }>('POST', '/v1/ca/certificates', {
      body: { request },
    });
    assert.equal(issued.body.issuer, newest);
    await verify(issued.body.chain);
    assert.equal((await mesh.ask('DELETE', '/v1/ca/rotate')).body.code, 'rotation_switched');
  });

  it('renews what the old one signed within an hour, and then retires it', async () => {
    const old = nodes.map(chainOf);
    const { body: started } = await rotate();
    await published();
    for (const node of nodes) await prove(node);
    await switched();
    for (const chain of old) await verify(chain);
    await passed(HOUR_S / 2);
    await passed(HOUR_S / 2 + 1);
    for (const node of nodes) {
      await certified(node, started.to[0]);
      await verify(chainOf(node));
    }
    await passed(HOUR_S);
    await passed(HOUR_S);
    await mesh.until(async () => (await show()).rotation === null);
    assert.deepEqual(await states(), ['active intermediate', 'active root', 'retired intermediate']);
    for (const chain of old) await assert.rejects(verify(chain), /unable to get certificate CRL/);
    assert.equal(await text('/v1/ca/crl').then((lists) => lists.split('BEGIN X509 CRL').length), 3);
  });

  it('of the root trusts both roots meanwhile, and the new one alone in the end', async () => {
    const [before] = (await show()).authorities;
    const old = nodes.map(chainOf);
    const { body: started } = await rotate({ what: 'root' });
    assert.deepEqual([started.from.length, started.to.length], [2, 2]);
    await published();
    for (const node of nodes) {
      await prove(node);
      assert.equal(node.held.trust?.roots.length, 2);
    }
    await switched();
    await passed(HOUR_S / 2);
    await passed(HOUR_S / 2 + 1);
    const [a, b] = nodes;
    assert.ok(a && b);
    await certified(a, started.to[1]);
    await verify(chainOf(a)); // by the new root
    for (const chain of old) await verify(chain); // by the old one
    await certified(b, started.to[1]);
    await passed(HOUR_S);
    await passed(HOUR_S);
    await mesh.until(async () => (await show()).rotation === null);
    assert.deepEqual(await states(), ['active intermediate', 'active root', 'retired intermediate', 'retired root']);
    const bundle = await text('/v1/ca/bundle');
    assert.ok(!bundle.includes(before?.certificate ?? ''));
    await verify(chainOf(b));
    for (const chain of old) await assert.rejects(verify(chain));
  });

  it('can be cancelled until the switch, and leaves nothing behind', async () => {
    const before = await text('/v1/ca/crl');
    await rotate({ what: 'root' });
    await published();
    const [a] = nodes;
    await a?.beat();
    assert.equal(a?.held.trust?.roots.length, 2);
    assert.equal((await mesh.ask('DELETE', '/v1/ca/rotate')).status, 204);
    await a?.beat();
    assert.equal(a?.held.trust?.roots.length, 1);
    assert.deepEqual(await states(), ['active intermediate', 'active root']);
    assert.equal(await text('/v1/ca/crl'), before);
    assert.equal((await mesh.ask('DELETE', '/v1/ca/rotate')).status, 404);
  });

  it('does not wait for nodes that are overdue, nor for any after its deadline', async () => {
    const [a, b] = nodes;
    assert.ok(a && b);
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { stale_after_s: 45, unreachable_after_s: 300 } } });
    mesh.clock.advance(46);
    await mesh.until(async () => {
      await a.beat();
      return (await mesh.ask<{ state: string }>('GET', `/v1/nodes/${b.id}`)).body.state === 'stale';
    });
    const { body } = await rotate({ deadline_s: 60 });
    assert.deepEqual([body.nodes.fresh, body.nodes.absent, body.absent], [1, 1, [{ id: b.id, name: 'b' }]]);
    await published();
    await prove(a);
    await switched();
    mesh.clock.advance(46);
    await mesh.until(async () => (await show()).rotation?.nodes.fresh === 0);
    const { rotation } = await show();
    assert.deepEqual([rotation?.nodes.absent, rotation?.absent], [1, [{ id: b.id, name: 'b' }]], 'a has proven it');
    await mesh.ask('DELETE', `/v1/nodes/${b.id}`);
  });

  it('happens at its deadline whatever nodes have proven', async () => {
    const { body } = await rotate({ deadline_s: 60 });
    await published();
    assert.equal((await show()).rotation?.waiting.length, 2);
    mesh.clock.advance(61);
    await switched();
    const { rotation } = await show();
    assert.deepEqual([rotation?.waiting.length, rotation?.deadline], [2, body.deadline]);
    const [a, b] = nodes;
    assert.ok(a && b);
    await a.prove();
    await prove(a);
    await mesh.until(async () => (await show()).rotation?.waiting.length === 1);
    assert.deepEqual((await show()).rotation?.waiting, [{ id: b.id, name: 'b' }]);
  });

  it('is held back as long as was asked for, whatever nodes have proven, also over a restart', async () => {
    for (const [hold_s, deadline_s] of [
      [60, 60],
      [120, 60],
    ]) {
      const got = await rotate({ hold_s, deadline_s });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/hold_s']);
    }
    assert.equal((await show()).rotation, null);
    const { body } = await rotate({ what: 'root', hold_s: 2 * HOUR_S, deadline_s: 5 * HOUR_S });
    assert.equal(Date.parse(body.not_before ?? '') - Date.parse(body.started_at), 2 * HOUR_S * 1000);
    await published();
    for (const node of nodes) await prove(node);
    await mesh.until(async () => (await show()).rotation?.nodes.proven === 2);
    assert.equal((await text('/v1/ca/bundle')).split('BEGIN CERTIFICATE').length, 3);
    await passed(HOUR_S);
    await mesh.down();
    await mesh.up();
    for (const node of nodes) await node.prove();
    // The duty that switches has looked by the time that a list is made.
    await mesh.ask('POST', '/v1/ca/revoke', { body: { serial: '5eadbeef5eadbeef' } });
    await mesh.until(async () => (await show()).authorities.some(({ revocation_list: list }) => list?.entries === 1));
    const held = await show();
    assert.deepEqual([held.rotation?.switched_at, held.rotation?.not_before], [null, body.not_before]);
    await passed(HOUR_S + 1);
    await switched();
    const { rotation } = await show();
    assert.ok(Date.parse(rotation?.switched_at ?? '') >= Date.parse(body.not_before ?? ''));
    assert.ok(Date.parse(rotation?.switched_at ?? '') < Date.parse(body.deadline ?? ''));
  });

  it('begins by itself when two thirds of the life of the intermediate are over', async () => {
    const [, before] = (await show()).authorities;
    await passed(60 * DAY_S + 60);
    let renewed: Authority | undefined;
    await mesh.until(async () => {
      renewed = (await show()).authorities.find(({ state }) => state === 'published');
      return renewed !== undefined;
    });
    const { rotation } = await show();
    assert.deepEqual([rotation?.what, rotation?.started_by.kind], ['intermediate', 'system']);
    assert.equal(renewed?.issuer, before?.issuer);
    await published();
    for (const node of nodes) await prove(node);
    await switched();
  });
});
