import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Link, PeerGraph, Problem } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const OURS = ['team:platform', 'surface:git', 'env:production'];

describe('the graph of peers', () => {
  let mesh: TestCoordinator;
  const nodes: TestNode[] = [];
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.allowEverything();
    for (const [name, ...tags] of [['a', 'role:git'], ['b', 'role:git'], ['c'], ['d']]) {
      const services = [{ name: 'ssh', protocol: 'tcp', port: 22 }];
      nodes.push(
        await TestNode.enroll(mesh, { name, tags: [...OURS, ...tags], services: name === 'a' ? services : [] }),
      );
    }
    nodes.push(await TestNode.enroll(mesh, { name: 'elsewhere', tags: ['team:other'] }));
    const [a, b, c] = nodes as [TestNode, TestNode, TestNode];
    for (const node of nodes) await node.beat({ complete: true });
    const now = () => new Date(mesh.clock.now()).toISOString();
    const link = (peer: TestNode, path: 'direct' | 'relay', more: object = {}) => ({
      peer: peer.id,
      path,
      handshake_at: now(),
      rx_bytes: 1,
      tx_bytes: 1,
      ...more,
    });
    await a.beat({ observed: { links: [link(b, 'direct'), link(c, 'relay')] } });
    await b.beat({ observed: { links: [link(a, 'direct')] } });
    await c.beat({ observed: { links: [link(a, 'direct', { handshake_at: null })] } });
  });
  after(() => mesh.close());

  const graph = async (query = '', token = mesh.owner) => {
    const got = await mesh.ask<PeerGraph & Problem>('GET', `/v1/peers/graph${query}`, { token });
    assert.equal(got.status, 200, got.text);
    return got.body;
  };
  const namesOf = ({ nodes: shown }: PeerGraph) => shown.map(({ name }) => name);
  const linksOf = (shown: PeerGraph) =>
    shown.links.map(({ a, b, state, path }) => `${shown.nodes[a]?.name}-${shown.nodes[b]?.name} ${state} ${path}`);

  it('has every node and each reported link once, as the list of links has it', async () => {
    const shown = await graph();
    assert.deepEqual(namesOf(shown), ['a', 'b', 'c', 'd', 'elsewhere']);
    assert.deepEqual(linksOf(shown), ['a-b up direct', 'a-c half mixed']);
    assert.deepEqual([shown.nodes_total, shown.links_total, shown.truncated], [5, 2, false]);
    assert.deepEqual(shown.nodes[0]?.services, ['ssh']);
    for (const { a, b, state, path } of shown.links) {
      const [one, other] = [shown.nodes[a]?.id, shown.nodes[b]?.id];
      const { body } = await mesh.ask<Link>('GET', `/v1/peers/${one}/${other}`);
      assert.deepEqual([state, path], [body.state, body.path]);
    }
  });

  it('has what one end alone says, and no link to a node that is not shown', async () => {
    assert.deepEqual(linksOf(await graph('?tag=role:git')), ['a-b up direct']);
    assert.deepEqual(namesOf(await graph('?q=els')), ['elsewhere']);
    assert.deepEqual(namesOf(await graph('?state=stale')), []);
    const [, b, , d] = nodes as [TestNode, TestNode, TestNode, TestNode];
    await d.beat({ observed: { links: [{ peer: b.id, path: 'relay', rx_bytes: 0, tx_bytes: 0 }] } });
    assert.deepEqual(linksOf(await graph('?q=d')), []);
    assert.ok(linksOf(await graph()).includes('d-b unknown relay'));
  });

  it('says when there is more than it shows', async () => {
    const shown = await graph('?limit=2');
    assert.deepEqual([namesOf(shown), shown.nodes_total, shown.truncated], [['a', 'b'], 5, true]);
    for (const limit of [0, 2001]) assert.equal((await mesh.ask('GET', `/v1/peers/graph?limit=${limit}`)).status, 422);
  });

  it('keeps to the scope of the caller, and forgets who was cut off', async () => {
    const { secret } = await mesh.token({ role: 'viewer', scope: PLATFORM });
    assert.deepEqual(namesOf(await graph('', secret)), ['a', 'b', 'c', 'd']);
    await mesh.ask('POST', `/v1/nodes/${nodes[2]?.id}/quarantine`, { body: {} });
    assert.deepEqual(linksOf(await graph()), ['a-b up direct', 'd-b unknown relay']);
  });
});
