import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MeshError } from './errors.ts';
import { decodeCursor, encodeCursor } from './pages.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function assertRefused(cursor: string, type: 'string' | 'number' = 'string'): void {
  assert.throws(
    () => decodeCursor('roles.list', cursor, type),
    (error) => {
      assert.ok(error instanceof MeshError, String(error));
      assert.equal(error.code, 'invalid');
      assert.equal(error.errors?.[0]?.pointer, 'query/cursor');
      return true;
    },
    `accepted ${JSON.stringify(cursor)}`,
  );
}

test('a cursor leads back to the item it was made of, in any language', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (last) => {
      assert.equal(decodeCursor('roles.list', encodeCursor('roles.list', last), 'string'), last);
    }),
  );
  fc.assert(
    fc.property(fc.maxSafeInteger(), (last) => {
      assert.equal(decodeCursor('audit.list', encodeCursor('audit.list', last), 'number'), last);
    }),
  );
});

test('a cursor needs no escaping in a URL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (last) => {
      assert.match(encodeCursor('roles.list', last), /^[A-Za-z0-9_-]+$/);
    }),
  );
});

test('the cursor of another list is refused', () => {
  assertRefused(encodeCursor('tokens.list', 'viewer'));
});

test('a cursor of the wrong type is refused', () => {
  assertRefused(encodeCursor('roles.list', 7), 'string');
  assertRefused(encodeCursor('roles.list', '7'), 'number');
});

test('what never was a cursor is refused', () => {
  const garbage = [
    '',
    'x',
    '!!!',
    'ä',
    encoded(null),
    encoded(7),
    encoded({ 0: 'roles.list', 1: 'viewer', length: 2 }),
    encoded([]),
    encoded(['roles.list']),
    encoded(['roles.list', 'viewer', 'more']),
    encoded(['roles.list', null]),
    encoded(['roles.list', ['viewer']]),
    encoded([['roles.list'], 'viewer']),
    Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]).toString('base64url'),
  ];
  for (const cursor of garbage) assertRefused(cursor);
  assertRefused(Buffer.from('["roles.list",1e999]').toString('base64url'), 'number');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assertRefused(text)));
});
