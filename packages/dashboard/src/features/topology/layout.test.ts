import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type LayoutRequest, layOut } from './layout.ts';

/** A ring of nodes in two teams, each linked with the next, who is of the other team. */
function ring(count: number): LayoutRequest {
  const nodes = Array.from({ length: count }, (_, place) => ({
    id: `node_${place}`,
    group: place % 2 === 0 ? 'platform' : 'data',
  }));
  const links = nodes.map((_, a) => ({ a, b: (a + 1) % count }));
  return { nodes, links, before: {} };
}

describe('the drawing of a mesh', () => {
  test('is the same for the same mesh', () => {
    assert.deepEqual(layOut(ring(40)), layOut(ring(40)));
  });

  test('has a place of its own for every node', () => {
    const { points } = layOut(ring(60));
    const places = Object.values(points).map(({ x, y }) => `${x} ${y}`);
    assert.equal(new Set(places).size, 60);
    for (const [place, one] of Object.values(points).entries()) {
      for (const other of Object.values(points).slice(place + 1)) {
        assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > 40, 'two nodes lie on each other');
      }
    }
  });

  test('keeps groups apart', () => {
    const { groups } = layOut(ring(40));
    const [one, other] = groups;
    assert.ok(one !== undefined && other !== undefined && groups.length === 2);
    assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > Math.max(one.radius, other.radius));
  });

  test('stays as it was when a node joins', () => {
    const { links, nodes } = ring(40);
    const loose = nodes.map(({ id }) => ({ id, group: null }));
    const { points } = layOut({ nodes: loose, links, before: {} });
    // Turned around, it is as good a drawing as before, and none that would come out by itself.
    const before = Object.fromEntries(Object.entries(points).map(([id, { x, y }]) => [id, { x: -x, y }]));
    const after = layOut({ nodes: [...loose, { id: 'node_new', group: null }], links, before });
    const moved = Object.entries(before).map(([id, { x, y }]) =>
      Math.hypot((after.points[id]?.x ?? 0) - x, (after.points[id]?.y ?? 0) - y),
    );
    assert.ok(after.points.node_new !== undefined);
    assert.ok(moved.reduce((sum, way) => sum + way, 0) / moved.length < 60, 'the drawing jumped');
  });

  test('of no nodes is empty', () => {
    assert.deepEqual(layOut({ nodes: [], links: [], before: {} }), { points: {}, groups: [] });
  });
});
