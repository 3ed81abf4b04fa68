import assert from 'node:assert/strict';
import { test } from 'node:test';
import { named, nameOf } from './named.ts';
import { Type } from './type.ts';

const Point = named('TestPoint', Type.Object({ x: Type.Number() }));

test('a schema keeps its name when it becomes optional', () => {
  assert.equal(nameOf(Type.Optional(Point)), 'TestPoint');
  assert.equal(nameOf(Type.Object({ at: Type.Optional(Point) }).properties.at), 'TestPoint');
});

test('a schema that is made from another one does not inherit its name', () => {
  assert.equal(nameOf(Type.Partial(Point)), undefined);
  assert.equal(nameOf(Type.Object({ ...Point.properties, y: Type.Number() })), undefined);
  assert.equal(nameOf(Type.Array(Point)), undefined);
});

test('the name does not appear in the schema itself', () => {
  assert.deepEqual(Object.keys(Point).toSorted(), ['properties', 'required', 'type']);
  assert.deepEqual(Object.getOwnPropertySymbols({ ...Point }), []);
});

test('a name belongs to one schema only', () => {
  assert.throws(() => named('TestPoint', Type.String()), /TestPoint/);
});
