import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TestFleet } from '../../../test/test-fleet.ts';
import { sharedRoutes } from '../../mesh/shared-routes.ts';

const NET = '10.20.0.0/16';
const NARROW = '10.20.7.0/24';
const THEN = '2026-11-15T09:30:00Z';

describe('networks that several boundaries use', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await TestFleet.open();
  });
  afterEach(async () => {
    await fleet.close();
    assert.deepEqual(fleet.failures, []);
  });

  const events = async () => {
    const [began, ended] = [await fleet.events('route.overlapped'), await fleet.events('route.overlap_ended')];
    const text = ({ scope, data }: (typeof began)[number]) => `${scope.team} ${data.cidr}`;
    return { began: began.map(text).sort(), ended: ended.map(text).sort() };
  };
  const known = () =>
    [...fleet.mesh.model.all('overlap')].map(({ body }) => `${body.boundary.team} ${body.cidr}`).sort();
  const body = (id: string) => {
    const node = fleet.mesh.model.get('node', id)?.body;
    assert.ok(node !== undefined);
    return node;
  };

  it('are in one event for each of them, also when the one is inside the other, and in one when that ends', async () => {
    await fleet.node('a-1', { offers: [NET], tags: ['team:a'] });
    await fleet.node('a-2', { offers: [NET], tags: ['team:a'] });
    assert.deepEqual(await events(), { began: [], ended: [] }, 'one boundary alone is no overlap');
    const other = await fleet.node('b-1', { offers: [NARROW], tags: ['team:b'] });
    assert.deepEqual(await events(), { began: [`a ${NET}`, `b ${NARROW}`], ended: [] });
    await fleet.node('a-3', { offers: [NET], tags: ['team:a'] });
    await fleet.down();
    await fleet.up();
    await fleet.duties.idle();
    assert.deepEqual(await events(), { began: [`a ${NET}`, `b ${NARROW}`], ended: [] }, 'there is no second event');
    await fleet.change(other, { removed_at: THEN });
    assert.deepEqual((await events()).ended, [`a ${NET}`, `b ${NARROW}`]);
    assert.deepEqual(known(), []);
  });

  it('are so too while a node is pending or cut off, and follow one that moves', async () => {
    await fleet.node('a-1', { offers: [NET], tags: ['team:a'] });
    const moving = await fleet.node('b-1', { offers: [NET], tags: ['team:b'], approved_at: null });
    assert.deepEqual(known(), [`a ${NET}`, `b ${NET}`]);
    await fleet.change(moving, { tags: ['team:c'] });
    assert.deepEqual(known(), [`a ${NET}`, `c ${NET}`]);
    await fleet.change(moving, { tags: ['team:a'] });
    assert.deepEqual(known(), []);
  });

  it('are not those beside a default route, which means everything else', async () => {
    await fleet.node('a-1', { offers: ['0.0.0.0/0'], tags: ['team:a'] });
    await fleet.node('b-1', { offers: [NET, '::/0'], tags: ['team:b'] });
    assert.deepEqual(known(), []);
    await fleet.node('c-1', { offers: ['0.0.0.0/0'], tags: ['team:c'] });
    assert.deepEqual(known(), ['a 0.0.0.0/0', 'c 0.0.0.0/0']);
  });

  it('were for the whole mesh in older versions, and stay so as long as no other boundary has them', async () => {
    const first = await fleet.node('a-1', { offers: [NET, '10.30.0.0/16'], tags: ['team:a'] });
    assert.deepEqual(sharedRoutes(fleet.mesh.model, body(first)), [NET, '10.30.0.0/16']);
    const second = await fleet.node('b-1', { offers: [NARROW], tags: ['team:b'] });
    assert.deepEqual(sharedRoutes(fleet.mesh.model, body(first)), ['10.30.0.0/16']);
    assert.deepEqual(sharedRoutes(fleet.mesh.model, body(second)), []);
    await fleet.change(first, { routes_shared: [NET] });
    assert.deepEqual(sharedRoutes(fleet.mesh.model, body(first)), [NET], 'what was decided counts');
  });

  it('are not forwarded to where an older version let something be approved that no node can have behind it', async () => {
    for (const cidr of ['127.0.0.0/8', '169.254.169.254/32', '128.0.0.0/1']) {
      await fleet.node(`gw-${cidr.length}`, { offers: [cidr] });
      assert.equal(fleet.providerOf(cidr), null, cidr);
    }
    const gateway = await fleet.node('gw', { offers: [NET] });
    assert.equal(fleet.providerOf(NET), gateway);
  });
});
