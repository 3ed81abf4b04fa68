import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { diffLines } from './line-diff.ts';

const MARKS = { same: ' ', removed: '-', added: '+' };
const marked = (before: string, after: string) =>
  diffLines(before.split('\n'), after.split('\n')).map(({ kind, text }) => `${MARKS[kind]}${text}`);
const numbered = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word} ${index}`);

describe('a line diff', () => {
  it('has a changed line as one removed and one added', () => {
    assert.deepEqual(marked('a\nb\nc', 'a\nB\nc'), [' a', '-b', '+B', ' c']);
  });

  it('keeps the other lines in place when lines are added or removed', () => {
    assert.deepEqual(marked('a\nc', 'a\nb\nc'), [' a', '+b', ' c']);
    assert.deepEqual(marked('a\nb\nc\nd', 'b\nd'), ['-a', ' b', '-c', ' d']);
  });

  it('matches repeated lines in order', () => {
    assert.deepEqual(marked('x\nx\ny', 'x\ny\nx'), [' x', '-x', ' y', '+x']);
  });

  it('has the number of each line in both texts', () => {
    assert.deepEqual(
      diffLines(['a', 'b'], ['b', 'c']).map(({ before, after }) => [before, after]),
      [
        [1, null],
        [2, 1],
        [null, 2],
      ],
    );
  });

  it('is empty for two empty texts, and one side of it can be empty', () => {
    assert.deepEqual(diffLines([], []), []);
    assert.deepEqual(
      diffLines([], ['a']).map(({ kind }) => kind),
      ['added'],
    );
    assert.deepEqual(
      diffLines(['a'], []).map(({ kind }) => kind),
      ['removed'],
    );
  });

  it('contains both texts, and has as few changes as a longest common subsequence allows', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after);
        const side = (other: string) => diff.filter(({ kind }) => kind !== other).map(({ text }) => text);
        assert.deepEqual(side('added'), before);
        assert.deepEqual(side('removed'), after);
        assert.equal(diff.filter(({ kind }) => kind === 'same').length, longestCommon(before, after));
      }),
      { numRuns: 500 },
    );
  });

  it('finds few changes in long texts', () => {
    const before = numbered('line', 30_000);
    const after = before.with(100, 'changed').toSpliced(20_000, 1).concat('new');
    const changed = diffLines(before, after).filter(({ kind }) => kind !== 'same');
    assert.deepEqual(
      changed.map(({ kind, text }) => `${MARKS[kind]}${text}`),
      ['-line 100', '+changed', '-line 20000', '+new'],
    );
  });

  it('replaces a text that has little in common with the other, however long it is', () => {
    const diff = diffLines(['first', ...numbered('old', 30_000)], ['first', ...numbered('new', 30_000)]);
    assert.deepEqual(
      [diff.length, diff[0]?.kind, diff[1]?.text, diff.at(-1)?.text],
      [60_001, 'same', 'old 0', 'new 29999'],
    );
  });
});

/** By the textbook, to compare with. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const one of a) {
    const next = [0];
    for (const [y, other] of b.entries()) {
      next.push(one === other ? (row[y] ?? 0) + 1 : Math.max(row[y + 1] ?? 0, next[y] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
