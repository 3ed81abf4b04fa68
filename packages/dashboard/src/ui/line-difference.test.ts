import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineDifference } from './line-difference.ts';

const signs = { same: ' ', removed: '-', added: '+' };
const shown = (before: string, after: string) =>
  lineDifference(before, after).map(({ kind, text }) => `${signs[kind]}${text}`);

test('a changed line is one that went and one that came', () => {
  assert.deepEqual(shown('a\nb\nc', 'a\nB\nc'), [' a', '-b', '+B', ' c']);
});

test('lines that came or went leave the others in place', () => {
  assert.deepEqual(shown('a\nc', 'a\nb\nc'), [' a', '+b', ' c']);
  assert.deepEqual(shown('a\nb\nc\nd', 'b\nd'), ['-a', ' b', '-c', ' d']);
});

test('repeated lines are matched in order', () => {
  assert.deepEqual(shown('x\nx\ny', 'x\ny\nx'), [' x', '-x', ' y', '+x']);
});

test('each line knows where it stands in both texts', () => {
  assert.deepEqual(
    lineDifference('a\nb', 'b').map(({ before, after }) => [before, after]),
    [
      [1, null],
      [2, 1],
    ],
  );
});

test('both texts can be put together again from it', () => {
  const [before, after] = ['g\na\nb\nb\nz\n', 'a\nq\nb\nz\nz\n'];
  const lines = lineDifference(before, after);
  const side = (without: string) => lines.filter(({ kind }) => kind !== without).map(({ text }) => text);
  assert.equal(side('added').join('\n'), before);
  assert.equal(side('removed').join('\n'), after);
});

test('texts too long to compare are shown as replaced', () => {
  const long = (letter: string) => Array.from({ length: 3_000 }, (_, index) => `${letter}${index}`).join('\n');
  assert.equal(lineDifference(long('a'), long('b')).length, 6_000);
});
