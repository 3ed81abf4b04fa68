import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Repair } from '@meshwork/contract';
import { dueRepairs, noteRepairs, putBackRepairs, takeRepairs } from './repairs.ts';
import { unseen } from './sighting.ts';

const NOTHING = { get: () => undefined, all: () => [] };
const repair = (found: string, section: Repair['section'] = 'acl'): Repair => ({
  section,
  at: '2026-11-15T09:30:00Z',
  found,
});

test('what could not be written is put back, beside what came meanwhile, and is not taken for told', () => {
  const sighting = unseen(0);
  noteRepairs(sighting, [repair('a'), repair('b', 'self')]);
  const taken = dueRepairs(sighting, NOTHING, 'node_1', 0);
  assert.ok(taken !== undefined);
  assert.equal(dueRepairs(sighting, NOTHING, 'node_1', 0), taken, 'asking takes nothing away');
  takeRepairs(sighting);
  assert.equal(dueRepairs(sighting, NOTHING, 'node_1', 0), undefined);
  noteRepairs(sighting, [repair('a'), repair('b', 'self'), repair('c')]);
  putBackRepairs(sighting, taken);
  const again = dueRepairs(sighting, NOTHING, 'node_1', 0);
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
  const sighting = unseen(0);
  for (let count = 0; count < 1000; count++) noteRepairs(sighting, [repair(`${count}`)]);
  const taken = dueRepairs(sighting, NOTHING, 'node_1', 0);
  assert.deepEqual([taken?.count, taken?.keys.length, taken?.found.size], [1000, 20, 1]);
});
