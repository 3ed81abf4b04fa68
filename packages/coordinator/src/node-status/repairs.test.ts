import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Repair } from '@meshwork/contract';
import { unseen } from './node-status.ts';
import { dueRepairs, noteRepairs, putBackRepairs, takeRepairs } from './repairs.ts';

const NOTHING = { get: () => undefined, all: () => [] };
const repair = (found: string, section: Repair['section'] = 'acl'): Repair => ({
  section,
  at: '2026-11-15T09:30:00Z',
  found,
});

test('repairs that could not be written are pending again, together with those reported meanwhile', () => {
  const status = unseen(0);
  noteRepairs(status, [repair('a'), repair('b', 'self')]);
  const taken = dueRepairs(status, NOTHING, 'node_1', 0);
  assert.ok(taken !== undefined);
  assert.equal(dueRepairs(status, NOTHING, 'node_1', 0), taken, 'asking takes nothing away');
  takeRepairs(status);
  assert.equal(dueRepairs(status, NOTHING, 'node_1', 0), undefined);
  noteRepairs(status, [repair('a'), repair('b', 'self'), repair('c')]);
  putBackRepairs(status, taken);
  const again = dueRepairs(status, NOTHING, 'node_1', 0);
  assert.deepEqual([again?.count, again?.last.found, again?.keys.length], [3, 'c', 3]);
  assert.deepEqual(
    [...(again?.found ?? [])],
    [
      ['acl', 'c'],
      ['self', 'b'],
    ],
  );
});

test('however many there are, what is kept of them does not grow', () => {
  const status = unseen(0);
  for (let count = 0; count < 1000; count++) noteRepairs(status, [repair(`${count}`)]);
  const taken = dueRepairs(status, NOTHING, 'node_1', 0);
  assert.deepEqual([taken?.count, taken?.keys.length, taken?.found.size], [1000, 20, 1]);
});
