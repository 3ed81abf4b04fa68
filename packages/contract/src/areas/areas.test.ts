import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Area } from '../area.ts';
import { EVENT_TYPES, EVENTS } from '../events.ts';
import { ID_PREFIXES } from '../ids.ts';
import { OPERATION_IDS, OPERATIONS } from '../operations.ts';
import { panelVocabulary } from '../panel/vocabulary.ts';
import { PERMISSIONS } from '../permissions.ts';
import { AREA_LIST, AREAS_BY_EVENTS } from './areas.ts';

const areas: readonly Area[] = AREA_LIST;
const namesOf = (member: 'operations' | 'events' | 'permissions' | 'ids') =>
  areas.flatMap((area) => Object.keys(area[member] ?? {}));

test('an area has its name for itself, and its operations begin with it', () => {
  assert.equal(new Set(areas.map(({ name }) => name)).size, areas.length);
  for (const { name, operations = {} } of areas) {
    for (const id of Object.keys(operations)) assert.equal(id.slice(0, id.indexOf('.')), name);
  }
});

test('the tables have every row of every area, and no two areas have the same', () => {
  assert.deepEqual(namesOf('operations'), OPERATION_IDS);
  assert.deepEqual(namesOf('events').sort(), EVENT_TYPES.toSorted());
  for (const { operations = {}, events = {} } of areas) {
    for (const [id, row] of Object.entries(operations)) assert.equal(OPERATIONS[id as keyof typeof OPERATIONS], row);
    for (const [type, row] of Object.entries(events)) assert.equal(EVENTS[type as keyof typeof EVENTS], row);
  }
  assert.equal(new Set(AREAS_BY_EVENTS).size, areas.length);
});

test('what an area adds to permissions and ids is in the list of vocabularies, and only that', () => {
  const { permissions, ids } = panelVocabulary;
  assert.deepEqual([...namesOf('permissions'), ...Object.keys(permissions)].sort(), Object.keys(PERMISSIONS).sort());
  assert.deepEqual([...namesOf('ids'), ...Object.keys(ids)].sort(), Object.keys(ID_PREFIXES).sort());
});

test('an area with operations has what reference pages show of it', () => {
  for (const { name, title, description, operations } of areas) {
    assert.equal(title !== undefined && description !== undefined, operations !== undefined, name);
  }
});
