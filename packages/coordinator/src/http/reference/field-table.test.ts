import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Token } from '@meshwork/contract';
import { fieldsOf, fieldTable, topFieldsOf } from './field-table.ts';
import { limitsText, type Schema, typeText } from './type-text.ts';

const paths = (schema: Schema) => topFieldsOf(schema).map(({ within, name }) => within + name);

test('the fields inside a field follow right below it, under their full names', () => {
  const place: Schema = { type: 'object', properties: { x: { type: 'number' } } };
  const schema: Schema = {
    type: 'object',
    properties: {
      at: place,
      all: { type: 'array', items: place },
      last: { anyOf: [place, { type: 'null' }] },
      by_name: { type: 'object', patternProperties: { '^.*$': place } },
    },
  };
  assert.deepEqual(paths(schema), ['at', 'at.x', 'all', 'all[].x', 'last', 'last.x', 'by_name', 'by_name.*.x']);
  assert.deepEqual(paths({ type: 'array', items: place }), ['[].x']);
  assert.deepEqual(
    fieldsOf(schema).map(({ depth }) => depth),
    [0, 1, 0, 1, 0, 1, 0, 1],
  );
});

test('a type is described in a few words', () => {
  const words = (schema: Schema) => typeText(schema).text.replace(/<\/?code>/g, '');
  assert.equal(words({ type: 'string' }), 'string');
  assert.equal(words({ type: 'string', format: 'date-time' }), 'date and time');
  assert.equal(words({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), 'integer or null');
  assert.equal(words({ anyOf: [{ const: 'a' }, { const: 'b' }] }), 'a, b');
  assert.equal(words({ enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] }), 'a, b, c, d, e, f and 2 more');
  assert.equal(words({ type: 'string', const: 'ok' }), '&quot;ok&quot;');
  assert.equal(words({ type: 'array', items: Token as Schema }), 'list of Token');
  assert.equal(words({ type: 'array', items: { type: 'object', properties: {} } }), 'list of objects');
  assert.equal(words({ type: 'object', patternProperties: { '^.*$': { type: 'string' } } }), 'map of string');
  assert.equal(words({}), 'anything');
});

test('limits are shown where there are any', () => {
  const words = (schema: Schema) => limitsText(schema)?.text.replace(/<\/?code>/g, '');
  assert.equal(words({ type: 'integer', minimum: 1, maximum: 200, default: 50 }), '1 to 200; default 50');
  assert.equal(words({ type: 'integer', minimum: 0 }), 'at least 0');
  assert.equal(words({ type: 'string', maxLength: 64 }), 'at most 64 characters');
  assert.equal(words({ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }), 'at least 1');
  assert.equal(words({ type: 'string' }), undefined);
});

test('a request says what it needs, an answer what may be absent', () => {
  const fields = fieldsOf({ required: ['name'], properties: { name: { type: 'string' }, role: { type: 'string' } } });
  const inRequest = fieldTable('request', fields, { caption: 'Body' }).text;
  assert.match(inRequest, /name<\/code> <span class="needed">required/);
  assert.doesNotMatch(inRequest, /role<\/code> <span/);
  const inAnswer = fieldTable('answer', fields, { caption: 'Answer' }).text;
  assert.match(inAnswer, /role<\/code> <span class="needed">may be absent/);
  assert.doesNotMatch(inAnswer, /name<\/code> <span/);
});
