/** What gateways find of the nodes behind an ingress, and what the overview says when none of them answers. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Attention, Ingress, Overview, Service, UpstreamHealth } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 60_000 };
const WEB: Service = { name: 'web', protocol: 'tcp', port: 3000 };

describe('the nodes behind an ingress', () => {
  let mesh: TestCoordinator;
  let gateway: TestNode;
  let web: TestNode;
  let stranger: TestNode;
  let ingress: Ingress;
  before(async () => {
    mesh = await TestCoordinator.start();
    await allow('tcp:3000');
    gateway = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['role:gateway', ...boundary('shop')] });
    web = await TestNode.enroll(mesh, { name: 'web-1', tags: boundary('shop') });
    stranger = await TestNode.enroll(mesh, { name: 'vault-1', tags: boundary('secret') });
    await gateway.beat({ complete: true, report: { abilities: EVERYTHING } });
    for (const node of [web, stranger]) await node.beat({ report: { services: [WEB] } });
    const scope = { team: 'shop', surface: '*', environment: '*' };
    const gateways = ['tag:role:gateway'];
    const tls = { certificate: 'none' };
    const body = { name: 'shop', hostname: 'shop.example.net', service: 'web', scope, gateways, tls };
    const got = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
    assert.equal(got.status, 201, got.text);
    ingress = got.body;
  });
  after(() => mesh.close());

  const boundary = (team: string) => [`team:${team}`, 'surface:web', 'env:production'];
  const allow = async (port: string) => {
    const groups = { gateways: ['tag:role:gateway'], web: ['node:web-1'] };
    const grants = [{ from: 'gateways', to: 'web', allow: [port] }];
    const got = await mesh.ask('PUT', '/v1/acls', { body: { groups, grants } });
    assert.equal(got.status, 200, got.text);
  };
  const show = async () => (await mesh.ask<Ingress>('GET', `/v1/ingress/${ingress.id}`)).body;
  const attention = async (): Promise<Attention | undefined> => {
    const items = (await mesh.ask<Overview>('GET', '/v1/overview')).body.attention;
    return items.find(({ kind }) => kind === 'ingress_without_targets');
  };
  /** The gateway puts everything into effect, serves, and has found this. */
  const serve = async (upstreams?: UpstreamHealth[]) => {
    await gateway.beat();
    const reported = { id: ingress.id, connections: 1, ...(upstreams === undefined ? {} : { upstreams }) };
    await gateway.beat({ applied: gateway.applied(), observed: { ingress: [reported] } });
  };
  const found = (node: TestNode, state: UpstreamHealth['state'], why: string | null = null): UpstreamHealth => ({
    service: 'web',
    node: node.id,
    state,
    since: '2026-11-15T09:31:00Z',
    why,
  });

  it('are shown as each gateway found them, without what it says of other nodes', async (t: TestContext) => {
    await t.waitFor(async () => assert.equal((await show()).assigned_to.length, 1), PATIENT);
    await serve();
    assert.equal((await show()).served_by[0]?.upstreams, null);
    await serve([found(web, 'up'), found(stranger, 'down', 'refused')]);
    const { served_by, targets } = await show();
    assert.deepEqual(served_by[0]?.upstreams, [found(web, 'up')]);
    assert.deepEqual(
      targets.map(({ name, problem }) => [name, problem]),
      [['web-1', null]],
    );
    assert.equal(await attention(), undefined);
  });

  it('are behind a gateway that says why it does not serve one, and goes on with the others', async () => {
    await gateway.beat();
    const problem = 'another program has TCP port 5432';
    await gateway.beat({
      applied: gateway.applied(),
      observed: { ingress: [{ id: ingress.id, connections: 0, problem }] },
    });
    const { state, served_by, assigned_to } = await show();
    assert.deepEqual([state, served_by], ['assigned', []]);
    assert.equal(assigned_to[0]?.problem, 'Another program has TCP port 5432.');
  });

  it('leave it serving when all of them are down, which the overview says', async () => {
    await serve([found(web, 'down', 'connection refused'), found(stranger, 'up')]);
    assert.equal((await show()).state, 'serving', 'it answers, with an error');
    const item = await attention();
    assert.deepEqual(item?.subject, { kind: 'ingress', id: ingress.id, name: 'shop' });
    assert.equal(item.severity, 'critical');
    assert.equal(item.title, 'No node takes the requests of shop.example.net');
    assert.equal(item.detail, 'Its gateways find every node of web down: web-1 (connection refused).');
    await serve([found(web, 'unknown')]);
    assert.equal(await attention(), undefined, 'it has not been checked yet');
  });

  it('are missing where no grant leads to them, and the fix says so', async () => {
    await allow('tcp:22');
    const item = await attention();
    assert.match(item?.detail ?? '', /web-1: No grant lets gw-1 reach it on tcp:3000: add one from/);
    assert.equal(item?.fix, 'Add a grant to the policy that lets its gateways reach the nodes of web.');
    await gateway.beat();
    assert.deepEqual(gateway.held.ingress[0]?.routes[0]?.pools[0]?.targets, []);
    await allow('tcp:3000');
    assert.equal(await attention(), undefined);
  });

  it('are missing where all have the weight 0, on that path alone too', async () => {
    const patch = async (body: object) => {
      assert.equal((await mesh.ask('PATCH', `/v1/ingress/${ingress.id}`, { body })).status, 200);
    };
    const none = { weights: [{ nodes: 'node:web-1', weight: 0 }] };
    const detail =
      'None of the nodes with the service web can be sent requests. web-1: Its weight is 0, so gateways send it nothing.';
    await patch({ upstream: none });
    const whole = await attention();
    assert.deepEqual([whole?.detail, whole?.fix], [detail, 'Give a node of web a weight above 0.']);
    await patch({ upstream: { weights: [] }, routes: [{ path: '/api', service: 'web', upstream: none }] });
    const item = await attention();
    assert.deepEqual([item?.title, item?.detail], ['No node takes the requests of shop.example.net/api', detail]);
    await patch({ routes: [] });
    assert.equal(await attention(), undefined);
  });

  it('are missing where none inside its scope runs the service, also for a path', async () => {
    const patch = (body: object) => mesh.ask('PATCH', `/v1/ingress/${ingress.id}`, { body });
    assert.equal((await patch({ routes: [{ path: '/api', service: 'api' }] })).status, 200);
    const item = await attention();
    assert.equal(item?.title, 'No node takes the requests of shop.example.net/api');
    assert.equal(item.detail, 'No node inside its scope reports the service api.');
    assert.equal((await patch({ routes: [] })).status, 200);
    assert.equal(await attention(), undefined);
    await web.beat({ report: { services: [{ ...WEB, health: 'failing' }] } });
    assert.match((await attention())?.detail ?? '', /web-1: The node says that the service fails its check\./);
  });
});
