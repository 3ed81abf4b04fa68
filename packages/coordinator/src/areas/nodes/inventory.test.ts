import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { APPLIED_SECTIONS, type Link, type Node, type Posture } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

interface List<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

describe('the inventory of nodes', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(() => mesh.close());

  const listed = async (query: string, token?: string) => {
    const got = await mesh.ask<List<Node>>('GET', `/v1/nodes?${query}`, token === undefined ? {} : { token });
    return got.body.items.map(({ name }) => name);
  };
  const posture = async (node: TestNode) => (await mesh.ask<Posture>('GET', `/v1/nodes/${node.id}/posture`)).body;
  /** What was `ago_s` old then is as much older now as has passed since, however long that was; to a second. */
  const assertAge = (age_s: number | null | undefined, ago_s: number, then_ms: number) => {
    const most_s = ago_s + (mesh.clock.now() - then_ms) / 1000;
    assert.ok(age_s != null && age_s >= ago_s - 1 && age_s <= most_s + 1, `${age_s} s, at most ${most_s}`);
  };

  it('is searched by tag, state, relay, NAT, service, name and address', async () => {
    const services = [{ name: 'db', protocol: 'tcp', port: 5432 }];
    const db = await TestNode.enroll(mesh, { name: 'db-1', tags: ['role:db', 'team:search'], services });
    await TestNode.enroll(mesh, { name: 'web-1', tags: ['role:web', 'team:search'] });
    assert.deepEqual(await listed('tag=role:db'), ['db-1']);
    assert.deepEqual(await listed('tag=team:search'), ['db-1', 'web-1']);
    assert.deepEqual(await listed('service=db'), ['db-1']);
    assert.deepEqual(await listed('q=WEB'), ['web-1']);
    assert.deepEqual(await listed(`q=${db.enrolled.address.replace('/32', '')}`), ['db-1']);
    assert.deepEqual(await listed('state=pending'), []);
    assert.deepEqual(await listed('relay=none'), []);
    await db.beat({ report: { nat: 'address-dependent' } });
    assert.deepEqual(await listed('nat=address-dependent'), ['db-1']);
    assert.deepEqual(await listed('nat=unknown&tag=team:search'), ['web-1']);
    await mesh.ask('DELETE', `/v1/nodes/${db.id}`);
    assert.deepEqual(await listed('tag=role:db'), [], 'what is removed is not listed');
    assert.deepEqual(await listed('tag=role:db&state=removed'), ['db-1'], 'unless it is requested');
  });

  it('shows a token only what lies inside its scope', async () => {
    const tags = ['team:platform', 'surface:git', 'env:production'];
    const inside = await TestNode.enroll(mesh, { name: 'inside', tags });
    const outside = await TestNode.enroll(mesh, { name: 'outside', tags: ['team:other'] });
    const token = (await mesh.token({ role: 'viewer', scope: PLATFORM })).secret;
    assert.deepEqual(await listed('', token), ['inside']);
    for (const path of ['', '/posture']) {
      assert.equal((await mesh.ask('GET', `/v1/nodes/${inside.id}${path}`, { token })).status, 200);
      assert.equal((await mesh.ask('GET', `/v1/nodes/${outside.id}${path}`, { token })).status, 404);
    }
    const links = await mesh.ask('GET', `/v1/peers?node=${outside.id}`, { token });
    assert.equal(links.status, 404);
  });

  it('puts what a node should be beside what it is, and says since when they differ for too long', async () => {
    const node = await TestNode.enroll(mesh, { tags: ['team:posture'] });
    await node.settle();
    const good = await posture(node);
    assert.ok(
      APPLIED_SECTIONS.every((section) => good.sections[section].in_sync),
      JSON.stringify(good.sections),
    );
    const wrong = { ...node.applied(), peers: { revision: node.revision, digest: '0123456789ab' } };
    await node.beat({ applied: wrong });
    const apart = await posture(node);
    assert.equal(apart.sections.peers.in_sync, false);
    assert.equal(apart.drift_since, null, 'not for long enough yet');
    mesh.clock.advance(61);
    await node.beat();
    const drifting = await posture(node);
    assert.ok(drifting.drift_since !== null && drifting.sections.peers.drift_since !== null);
    assert.match(drifting.sections.peers.reason ?? '', /differs from what the node was sent/);
    const resent = await node.beat();
    assert.deepEqual(resent.body.peers, undefined, 'it was sent everything once, with the heartbeat before');
    await node.beat({ applied: node.applied() });
    assert.equal((await posture(node)).drift_since, null);
  });

  it('shows why a node cannot put into effect what it was sent', async () => {
    const node = await TestNode.enroll(mesh, { tags: ['team:posture'] });
    await node.settle();
    const applied = { ...node.applied(), self: { ...node.applied().self, error: 'nft: permission denied' } };
    await node.beat({ applied: applied as never });
    mesh.clock.advance(61);
    await node.beat();
    const { sections } = await posture(node);
    assert.equal(sections.self.reason, 'nft: permission denied');
    assert.ok(sections.self.drift_since !== null);
  });

  it('shows a link as both ends see it, and never as up when one end is overdue', async () => {
    const tags = ['team:links'];
    const [a, b] = [await TestNode.enroll(mesh, { tags }), await TestNode.enroll(mesh, { tags })];
    const link = async () => (await mesh.ask<Link>('GET', `/v1/peers/${a.id}/${b.id}`)).body;
    const sees = (node: TestNode, peer: TestNode, path: 'direct' | 'relay', ago_s: number) =>
      node.beat({
        complete: true,
        observed: {
          links: [
            {
              peer: peer.id,
              path,
              endpoint: '192.0.2.8:51820',
              handshake_at: new Date(mesh.clock.now() - ago_s * 1000).toISOString(),
              rtt_ms: 8.4,
              rx_bytes: 10,
              tx_bytes: 20,
            },
          ],
        },
      });
    assert.equal((await link()).state, 'unknown');
    const then_ms = mesh.clock.now();
    await sees(a, b, 'direct', 5);
    await sees(b, a, 'relay', 5);
    const up = await link();
    assert.deepEqual([up.state, up.path, up.a_view?.path, up.b_view?.path], ['up', 'mixed', 'direct', 'relay']);
    assertAge(up.a_view?.handshake_age_s, 5, then_ms);
    await sees(b, a, 'direct', 400);
    assert.deepEqual([(await link()).state, (await link()).path], ['half', 'direct']);
    const list = await mesh.ask<List<Link>>('GET', `/v1/peers?node=${b.id}`);
    assert.deepEqual(
      list.body.items.map((one) => [one.a.id, one.b.id]),
      [[b.id, a.id]],
    );
    mesh.clock.advance(46);
    await mesh.until(async () => (await link()).state === 'unknown');
  });

  it('does not call a link up because the clock of a node is ahead', async () => {
    const tags = ['team:ahead'];
    const [a, b] = [await TestNode.enroll(mesh, { tags }), await TestNode.enroll(mesh, { tags })];
    const link = async () => (await mesh.ask<Link>('GET', `/v1/peers/${a.id}/${b.id}`)).body;
    /** Both clocks are ten minutes ahead, and both shook hands so long ago. */
    const see = async (ago_s: number) => {
      const there_ms = mesh.clock.now() + 600_000;
      const sent_at = new Date(there_ms).toISOString();
      const handshake_at = new Date(there_ms - ago_s * 1000).toISOString();
      for (const [node, peer] of [
        [a, b.id],
        [b, a.id],
      ] as const) {
        const links = [{ peer, path: 'direct' as const, handshake_at, rx_bytes: 0, tx_bytes: 0 }];
        await node.beat({ complete: true, sent_at, observed: { links } });
      }
    };
    await see(20);
    assert.equal((await link()).state, 'up');
    const then_ms = mesh.clock.now();
    await see(300);
    const { state, a_view } = await link();
    assert.equal(state, 'down');
    assertAge(a_view?.handshake_age_s, 300, then_ms);
  });

  it('pages through fifty pages of nodes while others come and go, without losing or repeating one that stayed', async () => {
    const mesh = await TestCoordinator.start();
    try {
      await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 1_000_000, burst: 1_000_000 } } });
      const enroll = async (name: string) => {
        const got = await mesh.ask<Node>('POST', '/v1/nodes', { body: { name, ...fakeKeys() } });
        assert.equal(got.status, 201, got.text);
        return got.body.id;
      };
      const stays: string[] = [];
      for (let batch = 0; batch < 20; batch++) {
        stays.push(...(await Promise.all(Array.from({ length: 100 }, (_, one) => enroll(`n-${batch}-${one}`)))));
      }
      const goes = await Promise.all(Array.from({ length: 100 }, (_, one) => enroll(`goes-${one}`)));
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let page = 0; cursor !== null; page++) {
        const query: string = cursor === '' ? 'limit=40' : `limit=40&cursor=${cursor}`;
        const got = await mesh.ask<List<Node>>('GET', `/v1/nodes?${query}`);
        seen.push(...got.body.items.map(({ id }) => id));
        cursor = got.body.next_cursor;
        await mesh.ask('DELETE', `/v1/nodes/${goes[page] ?? goes[0]}`);
        await enroll(`comes-${page}`);
      }
      assert.ok(seen.length >= 50 * 40, `${seen.length} nodes on the pages`);
      assert.equal(new Set(seen).size, seen.length, 'none twice');
      const found = new Set(seen);
      assert.deepEqual(
        stays.filter((id) => !found.has(id)),
        [],
      );
    } finally {
      await mesh.close();
    }
  });
});

/** Keys without a private half are enough to be listed. */
function fakeKeys() {
  const key = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
  return { identity_key: key(), wireguard_key: key() };
}
