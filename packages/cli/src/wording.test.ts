import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, listed } from './wording.ts';

test('plurals are right', () => {
  const known = { '0 nodes': [0, 'node'], '1 node': [1, 'node'], '2 entries': [2, 'entry'] } as const;
  for (const [text, [count, thing]] of Object.entries(known)) assert.equal(counted(count, thing), text);
  assert.equal(counted(3, 'ingress'), '3 ingresses');
  assert.equal(counted(2, 'key'), '2 keys');
});

test('a list ends with "and"', () => {
  assert.deepEqual([listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])], ['a', 'a and b', 'a, b and c']);
});
