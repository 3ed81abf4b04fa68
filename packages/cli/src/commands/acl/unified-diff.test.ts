import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unifiedDiff } from './unified-diff.ts';

const letters = (text: string) => `${text.split('').join('\n')}\n`;

test('what differs is shown with three lines around it, and hunks say where they begin', () => {
  assert.deepEqual(unifiedDiff(letters('abcdefghijklmnop'), letters('abXdefghijklmnoYp')), [
    '@@ -1 +1 @@',
    ' a',
    ' b',
    '-c',
    '+X',
    ' d',
    ' e',
    ' f',
    '@@ -13 +13 @@',
    ' m',
    ' n',
    ' o',
    '+Y',
    ' p',
  ]);
});

test('the same text has no difference, and an empty one is all of it', () => {
  assert.deepEqual(unifiedDiff(letters('abc'), letters('abc')), []);
  assert.deepEqual(unifiedDiff('', 'a\nb'), ['@@ -1 +1 @@', '+a', '+b']);
  assert.deepEqual(unifiedDiff('a\nb\n', ''), ['@@ -1 +1 @@', '-a', '-b']);
});

test('texts that have nothing in common are replaced, however long they are', () => {
  const of = (word: string) => Array.from({ length: 30_000 }, (_, line) => `${word} ${line}`).join('\n');
  const lines = unifiedDiff(of('old'), of('new'));
  assert.deepEqual([lines.length, lines[1], lines.at(-1)], [60_001, '-old 0', '+new 29999']);
});
