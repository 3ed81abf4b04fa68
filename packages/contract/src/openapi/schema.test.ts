import assert from 'node:assert/strict';
import { test } from 'node:test';
import { named } from '../named.ts';
import { Type } from '../type.ts';
import { schemaWriter } from './schema.ts';

const Inner = named('TestInner', Type.Object({ x: Type.Number() }, { description: 'A place.' }));
const Outer = named('TestOuter', Type.Object({ inner: Inner, maybe: Type.Optional(Inner) }));
const ref = { $ref: '#/components/schemas/TestInner' };

test('a named schema stands once under components, wherever it is used', () => {
  const schemas = schemaWriter();
  assert.deepEqual(schemas.write(Type.Array(Inner)), { type: 'array', items: ref });
  assert.deepEqual(schemas.write(Type.Union([Inner, Type.Null()])), { anyOf: [ref, { type: 'null' }] });
  assert.deepEqual(schemas.write(Type.Record(Type.String(), Inner)).patternProperties, { '^.*$': ref });
  assert.deepEqual(schemas.components(), {
    TestInner: { type: 'object', required: ['x'], properties: { x: { type: 'number' } }, description: 'A place.' },
  });
});

test('a named schema inside a named schema is a reference too, optional or not', () => {
  const schemas = schemaWriter();
  schemas.write(Outer);
  assert.deepEqual(Object.keys(schemas.components()), ['TestInner', 'TestOuter']);
  assert.deepEqual(schemas.components().TestOuter?.properties, { inner: ref, maybe: ref });
});

test('a choice of texts is an enum of strings', () => {
  const schemas = schemaWriter();
  const choice = { type: 'string', enum: ['a', 'b'], description: 'One of two.' };
  const literals = [Type.Literal('a'), Type.Literal('b')];
  assert.deepEqual(schemas.write(Type.Union(literals, { description: 'One of two.' })), choice);
  assert.deepEqual(schemas.write(Type.Enum(['a', 'b'], { description: 'One of two.' })), choice);
});

test('a choice of anything else stays what it is', () => {
  const mixed = Type.Union([Type.Literal('a'), Type.Null()]);
  assert.deepEqual(schemaWriter().write(mixed), { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] });
});

test('values are left alone, even when they look like schemas', () => {
  const value = { properties: { x: { '~kind': 'kept' } } };
  assert.deepEqual(schemaWriter().write(Type.Unknown({ default: value, examples: [value] })), {
    default: value,
    examples: [value],
  });
});
