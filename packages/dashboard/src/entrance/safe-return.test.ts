import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeReturn } from './safe-return.ts';

test('a page of the dashboard is gone back to, with its filters', () => {
  assert.equal(safeReturn('/nodes?state=stale#top'), '/nodes?state=stale#top');
});

test('another site never is, however it is written', () => {
  const tricks = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/.//evil.example/',
    'nodes',
    '',
    undefined,
    7,
  ];
  for (const trick of tricks) assert.equal(safeReturn(trick), '/', String(trick));
});

test('returning to the sign-in page makes no loop', () => {
  assert.equal(safeReturn('/sign-in?return_to=/sign-in'), '/');
});
