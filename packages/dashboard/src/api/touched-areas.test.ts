import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AREAS, EVENT_TYPES, type EventType } from '@meshwork/contract';
import { touchedAreas } from './touched-areas.ts';

test('every event touches areas that there are, and the trail', () => {
  for (const type of EVENT_TYPES) {
    const touched = touchedAreas(type);
    assert.ok(touched.length > 1 && touched.includes('audit'), type);
    assert.deepEqual(
      touched.filter((area) => !Object.hasOwn(AREAS, area)),
      [],
      type,
    );
  }
});

test('an event that this page does not know yet touches the trail alone', () => {
  assert.deepEqual(touchedAreas('future.came' as EventType), ['audit']);
});
