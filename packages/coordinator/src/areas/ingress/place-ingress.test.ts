import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FEATURES } from '@meshwork/contract';
import { TestFleet } from '../../../test/test-fleet.ts';

const GATEWAY = ['role:gateway'];
const THEN = '2026-11-15T09:30:00Z';

describe('the gateways of ingresses', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await TestFleet.open();
  });
  afterEach(async () => {
    await fleet.close();
    assert.deepEqual(fleet.failures, []);
  });

  it('moves one off a gateway that drains, which stays until it has no connection left', async () => {
    const first = await fleet.node('gw-1', { tags: GATEWAY });
    const web = fleet.newIngressId();
    await fleet.ingress(web);
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1']);
    await fleet.node('gw-2', { tags: GATEWAY });
    await fleet.reportConnections(first, web, 0);
    await fleet.change(first, { draining_since: THEN });
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1-', 'gw-2']);
    await fleet.reportConnections(first, web, 2);
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1-', 'gw-2']);
    await fleet.reportConnections(first, web, 0);
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-2']);
    const placed = await fleet.events('ingress.placed');
    assert.deepEqual(
      placed.map(({ data }) => data.gateways),
      [['gw-1'], ['gw-2']],
    );
  });

  it('replaces a gateway that is overdue at once, and does not go back', async () => {
    const first = await fleet.node('gw-1', { tags: GATEWAY });
    const web = fleet.newIngressId();
    await fleet.ingress(web);
    await fleet.node('gw-2', { tags: GATEWAY });
    await fleet.reportConnections(first, web, 7);
    await fleet.stale(first);
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-2']);
    await fleet.fresh(first);
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-2']);
  });

  it('spreads them over the gateways, and fills the places that were empty as soon as it can', async () => {
    await fleet.node('gw-1', { tags: GATEWAY });
    const [web, git, wide] = [fleet.newIngressId(), fleet.newIngressId(), fleet.newIngressId()];
    await fleet.ingress(web);
    await fleet.ingress(wide, { replicas: 3 });
    assert.deepEqual(fleet.gatewaysOf(wide), ['gw-1']);
    const second = await fleet.node('gw-2', { tags: GATEWAY });
    assert.deepEqual(fleet.gatewaysOf(wide), ['gw-1', 'gw-2']);
    await fleet.ingress(git);
    assert.deepEqual(fleet.gatewaysOf(git), ['gw-2'], 'it has fewer of them');
    const third = await fleet.node('gw-3');
    assert.deepEqual(fleet.gatewaysOf(wide), ['gw-1', 'gw-2']);
    await fleet.change(third, { tags: GATEWAY });
    assert.deepEqual(fleet.gatewaysOf(wide), ['gw-1', 'gw-2', 'gw-3']);
    await fleet.stale(second);
    assert.deepEqual([fleet.gatewaysOf(wide), fleet.gatewaysOf(git)], [['gw-1', 'gw-3'], ['gw-3']]);
  });

  it('spreads those that come at the same time as well', async () => {
    await fleet.write(...['gw-1', 'gw-2', 'gw-3'].flatMap((name) => fleet.newNode(name, { tags: GATEWAY }).writes));
    const ids = Array.from({ length: 6 }, () => fleet.newIngressId());
    await fleet.ingresses(ids);
    assert.deepEqual(ids.flatMap((id) => fleet.gatewaysOf(id)).sort(), [
      'gw-1',
      'gw-1',
      'gw-2',
      'gw-2',
      'gw-3',
      'gw-3',
    ]);
  });

  it('drains a gateway that no selector matches any more', async () => {
    const first = await fleet.node('gw-1', { tags: GATEWAY });
    await fleet.node('gw-2', { tags: GATEWAY });
    const web = fleet.newIngressId();
    await fleet.ingress(web);
    await fleet.ingress(web, { gateways: ['node:gw-2'] });
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1-', 'gw-2']);
    await fleet.reportConnections(first, web, 0);
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-2']);
  });

  it('goes by what agents say that they can do, as soon as they say it', async () => {
    const first = await fleet.node('gw-1', { tags: GATEWAY });
    const web = fleet.newIngressId();
    await fleet.ingress(web, {
      tls: { certificate: 'mesh', redirect: true, clients: 'required', client_names: [] },
    });
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1']);
    await fleet.canDo(first, []);
    assert.deepEqual(fleet.gatewaysOf(web), []);
    await fleet.canDo(first, FEATURES);
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1']);
  });

  it('keeps inside the scope, and to the nodes that are named', async () => {
    const scope = { team: 'platform', surface: '*', environment: '*' };
    await fleet.node('gw-1', { tags: ['team:other', 'role:gateway'] });
    const web = fleet.newIngressId();
    await fleet.ingress(web, { scope, gateways: ['tag:role:gateway', 'node:gw-2'], replicas: 2 });
    assert.deepEqual(fleet.gatewaysOf(web), []);
    const second = await fleet.node('gw-2', { tags: ['team:platform'] });
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-2']);
    await fleet.change(second, { tags: ['team:other'] });
    assert.deepEqual(fleet.gatewaysOf(web), [], 'it has left the boundary, with whatever it had');
  });

  it('that drain keep their gateways and take no new ones; those that are gone have none', async () => {
    await fleet.node('gw-1', { tags: GATEWAY });
    const web = fleet.newIngressId();
    await fleet.ingress(web, { replicas: 2 });
    await fleet.ingress(web, { draining: true });
    await fleet.node('gw-2', { tags: GATEWAY });
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1-']);
    await fleet.ingress(web, { draining: false });
    assert.deepEqual(fleet.gatewaysOf(web), ['gw-1', 'gw-2']);
    await fleet.write({ kind: 'ingress', id: web, body: null });
    assert.equal(fleet.mesh.model.get('placement', web), undefined);
  });

  describe('with a port of their own', () => {
    const TCP = { kind: 'tcp', port: 5432, service: 'db' } as const;

    it('are on no gateway where another has the port, also one that drains, and on it once it is free', async () => {
      const first = await fleet.node('gw-1', { tags: GATEWAY });
      const [db, other] = [fleet.newIngressId(), fleet.newIngressId()];
      await fleet.ingress(db, TCP);
      await fleet.ingress(other, TCP);
      assert.deepEqual([fleet.gatewaysOf(db), fleet.gatewaysOf(other)], [['gw-1'], []]);
      await fleet.node('gw-2', { tags: GATEWAY });
      assert.deepEqual(fleet.gatewaysOf(other), ['gw-2']);
      const third = fleet.newIngressId();
      await fleet.ingress(third, TCP);
      assert.deepEqual(fleet.gatewaysOf(third), []);
      await fleet.ingress(db, { draining: true });
      assert.deepEqual([fleet.gatewaysOf(db), fleet.gatewaysOf(third)], [['gw-1-'], []]);
      await fleet.write({ kind: 'ingress', id: db, body: null });
      assert.deepEqual(fleet.gatewaysOf(third), ['gw-1'], 'the port became free');
      await fleet.ingress(third, { gateways: ['node:gw-2'] });
      await fleet.reportConnections(first, third, 0);
      assert.deepEqual(fleet.gatewaysOf(third), [], 'gw-2 has the other');
      await fleet.ingress(other, { port: 5433 });
      assert.deepEqual([fleet.gatewaysOf(third), fleet.gatewaysOf(other)], [['gw-2'], ['gw-2']]);
    });

    it('get it as soon as a gateway that drained off it has no connection left', async () => {
      const first = await fleet.node('gw-1', { tags: GATEWAY });
      await fleet.node('gw-2', { tags: ['role:second'] });
      const [db, other] = [fleet.newIngressId(), fleet.newIngressId()];
      await fleet.ingress(db, TCP);
      await fleet.ingress(other, TCP);
      await fleet.ingress(db, { gateways: ['tag:role:second'] });
      assert.deepEqual([fleet.gatewaysOf(db), fleet.gatewaysOf(other)], [['gw-1-', 'gw-2'], []]);
      await fleet.reportConnections(first, db, 0);
      assert.deepEqual([fleet.gatewaysOf(db), fleet.gatewaysOf(other)], [['gw-2'], ['gw-1']]);
    });

    it('share a gateway with other ports, with the same number of the other transport, and with host names', async () => {
      await fleet.node('gw-1', { tags: GATEWAY });
      const ids = Array.from({ length: 4 }, () => fleet.newIngressId());
      const kinds = [TCP, { ...TCP, port: 5433 }, { ...TCP, kind: 'udp' as const }, { kind: 'tls' as const }];
      for (const [index, id] of ids.entries()) await fleet.ingress(id, kinds[index] ?? {});
      assert.deepEqual(
        ids.map((id) => fleet.gatewaysOf(id)),
        ids.map(() => ['gw-1']),
      );
    });

    it('that come at the same time never get one port twice', async () => {
      await fleet.write(...['gw-1', 'gw-2', 'gw-3'].flatMap((name) => fleet.newNode(name, { tags: GATEWAY }).writes));
      const ids = Array.from({ length: 5 }, () => fleet.newIngressId());
      await fleet.ingresses(ids, TCP);
      assert.deepEqual(ids.flatMap((id) => fleet.gatewaysOf(id)).sort(), ['gw-1', 'gw-2', 'gw-3']);
    });
  });
});
