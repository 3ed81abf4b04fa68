/** What a change of a gateway costs, and whom it wakes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import { IngressWorld } from '../../../test/ingress-world.ts';

const NODES = 300;
const INGRESSES = 200;

describe('names of ingresses in a large mesh', () => {
  const world = new IngressWorld();
  world.policy({
    groups: { gateways: ['tag:role:gateway'], clients: ['tag:kind:client'], others: ['tag:kind:other'] },
    grants: [
      { from: 'clients', to: 'gateways', allow: ['tcp:443'] },
      { from: 'others', to: 'gateways', allow: ['tcp:22'] },
    ],
  });
  const gateways = ['gw-1', 'gw-22'].map((name) => world.node(name, { tags: ['role:gateway'] }));
  const many = (kind: string) =>
    Array.from({ length: NODES }, (_, index) => world.node(`${kind}-${index}`, { tags: [`kind:${kind}`] }));
  const [clients, others] = [many('client'), many('other')];
  const proven = (index: number, ...serving: readonly NodeId[]) => ({
    kind: 'proven' as const,
    id: `ingress_${index}`,
    body: { hostname: `app-${index}.example.net`, transport: 'tcp' as const, port: 443, gateways: serving },
  });
  world.commit(...Array.from({ length: INGRESSES }, (_, index) => proven(index, ...gateways)));
  const all = [...gateways, ...clients, ...others];
  const namesOf = (id: NodeId) => {
    const node = world.model.get('node', id) ?? assert.fail();
    const { dns } = JSON.parse(`{${world.opened.views.changesSince(node, 0)}}`);
    return dns?.ingresses ?? [];
  };
  /** How often it is asked what holds between two cohorts, and who is woken. */
  const costOf = (change: () => void) => {
    for (const node of all) world.opened.views.of(node);
    world.woken.clear();
    let asked = 0;
    const { terms } = world.reach;
    world.reach.terms = (one, other) => {
      asked += 1;
      return terms.call(world.reach, one, other);
    };
    try {
      change();
    } finally {
      world.reach.terms = terms;
    }
    return { asked, woken: [...world.woken].sort() };
  };

  it('are sent to nodes that may reach a gateway on the port, and to no other', () => {
    assert.equal(namesOf(clients[0] ?? assert.fail()).length, INGRESSES);
    assert.deepEqual(namesOf(others[0] ?? assert.fail()), []);
  });

  it('wake those whose names changed, for the price of their cohorts', () => {
    const [first = assert.fail(), second = assert.fail()] = gateways;
    const { asked, woken } = costOf(() => world.commit(proven(7, first)));
    assert.deepEqual(woken, [...clients, second].sort());
    assert.ok(asked < 10 * INGRESSES, `${asked} questions, for ${all.length} nodes and ${INGRESSES} ingresses`);
    const names = namesOf(clients[0] ?? assert.fail()) as { hostname: string; addresses: string[] }[];
    assert.equal(names.find(({ hostname }) => hostname === 'app-7.example.net')?.addresses.length, 2);
  });

  it('cost nothing when a node changes that is no gateway', () => {
    const { asked, woken } = costOf(() => world.report(others[1] ?? assert.fail(), []));
    assert.deepEqual(woken, []);
    assert.ok(asked < 10, `${asked} questions`);
  });

  it('follow a gateway that other nodes may reach now, or that is cut off', () => {
    const [first = assert.fail(), second = assert.fail()] = gateways;
    costOf(() => world.change(second, { tags: [] }));
    assert.equal(namesOf(clients[0] ?? assert.fail())[0].addresses.length, 2);
    costOf(() => world.change(first, { quarantined: { at: '2026-11-18T10:00:00Z', reason: null } }));
    assert.deepEqual(namesOf(clients[0] ?? assert.fail()), []);
  });
});
