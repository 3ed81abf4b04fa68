import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
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
});
