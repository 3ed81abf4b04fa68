import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf } from './bounds.ts';

test('what is drawn lies within its bounds: nodes with their names, and grounds with theirs', () => {
  const points = { a: { x: -100, y: 0 }, b: { x: 400, y: 20 } };
  assert.deepEqual(boundsOf({ points, groups: [] }), { x: -160, y: -60, width: 620, height: 140 });
  const groups = [{ name: 'shop', x: 0, y: 0, radius: 300 }];
  assert.deepEqual(boundsOf({ points, groups }), { x: -300, y: -340, width: 760, height: 640 });
  assert.deepEqual(boundsOf({ points: {}, groups: [] }), { x: 0, y: 0, width: 0, height: 0 });
});
