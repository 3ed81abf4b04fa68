import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { named } from '../named.ts';
import { Type } from '../type.ts';
import { shapeWriter } from './generate-answers.ts';
import { heartbeatReplyShape } from './index.ts';
import * as words from './shape.ts';

describe('the shape of a schema', () => {
  const sourceOf = (schema: object) => shapeWriter().write(schema);

  test('is made of which members there are, and of which kind each is', () => {
    assert.equal(sourceOf(Type.String({ maxLength: 3 })), 'string');
    assert.equal(sourceOf(Type.Enum(['a', 'b'])), 'string');
    assert.equal(sourceOf(Type.Literal(true)), 'boolean');
    assert.equal(sourceOf(Type.Unknown()), 'anything');
    assert.equal(sourceOf(Type.Record(Type.String(), Type.Integer())), 'object({})');
    assert.equal(sourceOf(Type.Array(Type.Union([Type.Number(), Type.Null()]))), 'arrayOf(oneOf(number, nothing))');
    const Point = Type.Object({ x: Type.Integer(), label: Type.Optional(Type.String()) });
    assert.equal(sourceOf(Point), "object({ x: integer, label: string }, ['label'])");
  });

  test('is written in words that there are', () => {
    const shapes = shapeWriter();
    shapes.write(Type.Object({ any: Type.Unknown(), list: Type.Array(Type.Union([Type.Boolean(), Type.Number()])) }));
    assert.deepEqual(
      [...shapes.words].filter((word) => !(word in words)),
      [],
    );
  });

  test('with a name is declared once, after those that it uses', () => {
    const Inner = named('TestInner', Type.Object({ on: Type.Boolean() }));
    const Outer = named('TestOuter', Type.Object({ one: Inner, many: Type.Array(Type.Optional(Inner)) }));
    const shapes = shapeWriter();
    assert.equal(shapes.write(Outer), 'testOuterShape');
    assert.deepEqual(shapes.declared, [
      { name: 'TestInner', source: 'object({\n  on: boolean,\n})' },
      { name: 'TestOuter', source: 'object({\n  one: testInnerShape,\n  many: arrayOf(testInnerShape),\n})' },
    ]);
    assert.deepEqual([...shapes.words].sort(), ['arrayOf', 'boolean', 'object']);
  });

  test('of a kind that is not known is no shape', () => {
    assert.throws(() => sourceOf({ type: 'bigint' }), /bigint/);
  });
});

test('the first of several problems is the one that is named, and what came is not repeated', () => {
  const relay = { name: 'fra-1', host: 'secret.example', port: '3478' };
  assert.equal(heartbeatReplyShape({ revision: 1, next_s: 0, relay, ingress: 7 }), '/relay/port is no integer');
  assert.equal(heartbeatReplyShape({ revision: 1, next_s: 0, relay: null, ingress: 7 }), '/ingress is no array');
  assert.equal(heartbeatReplyShape({ revision: 1, next_s: Number.NaN }), '/next_s is no number');
});
