/** Host names of ingresses, as nodes of the mesh resolve them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { GatewayFront, Ingress, Service } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 15_000 };
const WEB: Service = { name: 'web', protocol: 'tcp', port: 3000 };
const FRONT: GatewayFront = { http_port: 80, https_port: 443, proxy_protocol: false };
const boundary = (team: string) => [`team:${team}`, 'surface:web', 'env:production'];

describe('the host name of an ingress', () => {
  let mesh: TestCoordinator;
  let gateways: readonly [TestNode, TestNode];
  /** May reach gateways on the port of the ingress, and is of another boundary. */
  let laptop: TestNode;
  /** May reach them on another port only. */
  let printer: TestNode;
  let ingress: Ingress;
  before(async () => {
    mesh = await TestCoordinator.start();
    await allow('tcp:80');
    const gateway = async (name: string) => {
      const node = await TestNode.enroll(mesh, { name, tags: ['role:gateway', ...boundary('shop')] });
      await node.beat({ complete: true, report: { abilities: EVERYTHING, gateway_front: FRONT } });
      return node;
    };
    gateways = [await gateway('gw-1'), await gateway('gw-2')];
    const client = async (name: string, tags: readonly string[]) => {
      const node = await TestNode.enroll(mesh, { name, tags });
      await node.beat({ complete: true, report: { abilities: EVERYTHING, services: [WEB] } });
      return node;
    };
    laptop = await client('laptop', ['kind:client', ...boundary('people')]);
    printer = await client('printer', ['kind:printer', ...boundary('shop')]);
    const scope = { team: 'shop', surface: '*', environment: '*' };
    const tls = { certificate: 'none' };
    const body = { name: 'shop', hostname: 'shop.example.net', service: 'web', scope, tls };
    const more = { gateways: ['tag:role:gateway'], replicas: 2 };
    const got = await mesh.ask<Ingress>('POST', '/v1/ingress', { body: { ...body, ...more } });
    assert.equal(got.status, 201, got.text);
    ingress = got.body;
    await mesh.until(async () => (await show()).assigned_to.length === 2);
  });
  after(() => mesh.close());

  const allow = async (port: string) => {
    const groups = { gateways: ['tag:role:gateway'], clients: ['tag:kind:client'], printers: ['tag:kind:printer'] };
    const grants = [
      { from: 'clients', to: 'gateways', allow: [port] },
      { from: 'printers', to: 'gateways', allow: ['tcp:631'] },
      { from: 'gateways', to: 'printers', allow: ['tcp:3000'] },
    ];
    const got = await mesh.ask('PUT', '/v1/acls', { body: { groups, grants } });
    assert.equal(got.status, 200, got.text);
  };
  const show = async () => (await mesh.ask<Ingress>('GET', `/v1/ingress/${ingress.id}`)).body;
  /** Puts everything into effect, and says which ingresses it serves. */
  const serve = async (gateway: TestNode, ...ids: readonly string[]) => {
    await gateway.beat();
    const served = ids.map((id) => ({ id, connections: 0 }));
    await gateway.beat({ applied: gateway.applied(), observed: { ingress: served } });
  };
  const addresses = ({ enrolled }: TestNode) =>
    [enrolled.address, enrolled.address6].map((address) => address.replace(/\/.*/, ''));
  const known = async (node: TestNode) => {
    await node.beat();
    return Object.fromEntries((node.held.dns?.ingresses ?? []).map(({ hostname, addresses: all }) => [hostname, all]));
  };
  const becomes = async (t: TestContext, node: TestNode, ...serving: readonly TestNode[]) => {
    const all = serving.toSorted((a, b) => (a.id < b.id ? -1 : 1)).flatMap(addresses);
    const wanted = all.length === 0 ? {} : { [ingress.hostname]: all };
    await t.waitFor(async () => assert.deepEqual(await known(node), wanted), PATIENT);
  };

  it('is not known before a gateway proves that it serves it', async () => {
    assert.deepEqual(await known(laptop), {});
    await gateways[0].beat({ observed: { ingress: [{ id: ingress.id, connections: 0 }] } });
    assert.deepEqual(await known(laptop), {}, 'what it was sent is not in effect');
  });

  it('leads a node that may reach its gateways to those that prove it, and wakes it', async (t) => {
    const [first, second] = gateways;
    const waiting = laptop.beat({ wait: 30 });
    await serve(first, ingress.id);
    const answer = await waiting;
    assert.deepEqual(answer.body.dns?.ingresses, [{ hostname: ingress.hostname, addresses: addresses(first) }]);
    await serve(second, ingress.id);
    await becomes(t, laptop, first, second);
    await becomes(t, first, first); // each reaches itself, and no grant lets it reach the other
    assert.deepEqual([await known(printer), printer.held.dns], [{}, null], 'a grant for another port is none');
  });

  it('follows the policy', async (t) => {
    await allow('udp:80');
    await becomes(t, laptop);
    await allow('tcp:1-1024');
    for (const gateway of gateways) await serve(gateway, ingress.id);
    await becomes(t, laptop, ...gateways);
  });

  it('stays while gateways put a change into effect, and while an agent is started anew', async (t) => {
    await becomes(t, laptop, ...gateways);
    const patch = (body: object) => mesh.ask('PATCH', `/v1/ingress/${ingress.id}`, { body });
    assert.equal((await patch({ routes: [{ path: '/api', service: 'api' }] })).status, 200);
    gateways[0].boot_id = randomUUID();
    await gateways[0].beat({ complete: true, report: { gateway_front: FRONT } });
    await gateways[1].beat();
    assert.equal((await patch({ name: 'store' })).status, 200);
    for (const gateway of gateways) await serve(gateway, ingress.id);
    await t.waitFor(async () => assert.equal((await show()).state, 'serving'), PATIENT);
    assert.equal((await laptop.beat()).body.dns, undefined, 'it was never another');
    await becomes(t, laptop, ...gateways);
  });

  it('leads to no gateway that only a load balancer can speak to, or at another port', async (t) => {
    for (const front of [
      { ...FRONT, proxy_protocol: true },
      { ...FRONT, http_port: 8080 },
    ]) {
      await gateways[0].beat({ report: { gateway_front: front } });
      await becomes(t, laptop, gateways[1]);
      await gateways[0].beat({ report: { gateway_front: FRONT } });
      await becomes(t, laptop, ...gateways);
    }
  });

  it('is left to public DNS while a relay has it too: a node may need the relay to come into the mesh', async (t) => {
    const relay = { name: 'fra-1', host: ingress.hostname, port: 3478, secret: 'not-so-secret-at-all' };
    const made = await mesh.ask('POST', '/v1/relays', { body: relay });
    assert.equal(made.status, 201, made.text);
    await becomes(t, laptop);
    assert.equal((await mesh.ask('DELETE', '/v1/relays/fra-1')).status, 204);
    await becomes(t, laptop, ...gateways);
  });

  it('leaves a gateway that serves it no more', async (t) => {
    await serve(gateways[0]);
    await becomes(t, laptop, gateways[1]);
    await serve(gateways[0], ingress.id);
    await becomes(t, laptop, ...gateways);
  });

  it('leaves a gateway that falls silent, and comes back with it', async (t) => {
    mesh.clock.advance(100);
    for (const node of [laptop, gateways[1]]) await node.beat();
    await becomes(t, laptop, gateways[1]);
    await gateways[0].beat();
    await t.waitFor(async () => assert.equal((await show()).assigned_to.length, 2), PATIENT);
    await serve(gateways[0], ingress.id);
    await becomes(t, laptop, ...gateways);
  });

  it('leaves a gateway that drains, and is unknown when the ingress does', async (t) => {
    assert.equal((await mesh.ask('POST', '/v1/nodes/gw-2/drain', { body: {} })).status, 202);
    await becomes(t, laptop, gateways[0]);
    assert.equal((await mesh.ask('POST', `/v1/ingress/${ingress.id}/drain`, { body: {} })).status, 200);
    await becomes(t, laptop);
  });
});
