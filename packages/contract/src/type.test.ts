/** Each word of ours against TypeBox's own: the schema that comes out, and the marks on it that are not written. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as TypeBox from 'typebox';
import { Check } from 'typebox/value';
import { Type } from './type.ts';

type Words = typeof Type;

const TEXT = { pattern: '^[a-z]+$', description: 'lower case' };
/** Written once, and made by both. */
const SCHEMAS: Readonly<Record<string, (words: Words) => object>> = {
  Array: (words) => words.Array(words.String(), { maxItems: 3 }),
  Boolean: (words) => words.Boolean({ default: false }),
  Enum: (words) => words.Enum(['a', 'b'], { description: 'one of two' }),
  Integer: (words) => words.Integer({ minimum: 1 }),
  'Literal, text': (words) => words.Literal('a', { title: 'A' }),
  'Literal, number': (words) => words.Literal(7),
  'Literal, boolean': (words) => words.Literal(false),
  Null: (words) => words.Null(),
  Number: (words) => words.Number({ maximum: 1 }),
  Object: (words) =>
    words.Object({ a: words.String(), b: words.Optional(words.Null()) }, { additionalProperties: false }),
  'Object without fields': (words) => words.Object({}),
  'Object of what may be absent': (words) => words.Object({ a: words.Optional(words.String()) }),
  Optional: (words) => words.Optional(words.String(TEXT)),
  'Optional, of what is so already': (words) => words.Optional(words.Optional(words.Integer())),
  Partial: (words) => words.Partial(words.Object({ a: words.String(), b: words.Integer() }, { title: 'lost' }), TEXT),
  'Record by any name': (words) => words.Record(words.String(), words.Integer(), { description: 'counts' }),
  'Record by a pattern': (words) => words.Record(words.String(TEXT), words.Unknown()),
  String: (words) => words.String(TEXT),
  Union: (words) => words.Union([words.String(), words.Null()], { description: 'perhaps' }),
  Unknown: (words) => words.Unknown({ description: 'anything' }),
  Unsafe: (words) => words.Unsafe(words.Object({}, TEXT)),
};

/** With what is hidden, in the order that it is written in. */
function wholly(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wholly);
  const hidden = Object.getOwnPropertyNames(value).filter((name) => !Object.keys(value).includes(name));
  const entries = (names: readonly string[]) =>
    names.map((name) => [name, wholly((value as Readonly<Record<string, unknown>>)[name])]);
  return [entries(Object.keys(value)), entries(hidden.sort())];
}

describe('the words that the contract is written in', () => {
  for (const [name, make] of Object.entries(SCHEMAS)) {
    it(`${name} is as TypeBox makes it`, () => {
      assert.deepEqual(wholly(make(Type)), wholly(make(TypeBox)));
    });
  }

  it('are all tried here', () => {
    const tried = new Set(Object.keys(SCHEMAS).map((name) => name.split(/[, ]/, 1)[0]));
    assert.deepEqual([...tried].sort(), Object.keys(Type).sort());
  });

  it('mix with TypeBox’s own, which checks values against them', () => {
    const mixed = TypeBox.Object({ a: Type.Optional(Type.Integer()), b: Type.Array(TypeBox.String()) });
    assert.deepEqual(
      [{ b: ['x'] }, { a: 1, b: [] }, { a: 'x', b: [] }, { a: 1 }].map((value) => Check(mixed, value)),
      [true, true, false, false],
    );
  });

  it('leave what they are given as it was', () => {
    const text = Type.String();
    Type.Optional(text);
    assert.deepEqual(wholly(text), wholly(TypeBox.String()));
  });
});
