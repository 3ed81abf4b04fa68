import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mergeTexts } from './merge-texts.ts';

const BASE = ['{', 'a', 'b', 'c', 'd', '}'];
const text = (lines: readonly string[]) => lines.join('\n');
const merge = (theirs: readonly string[], mine: readonly string[]) => {
  const { text: merged, conflicts } = mergeTexts(text(BASE), text(theirs), text(mine));
  return [merged.split('\n').join(' '), conflicts];
};

describe('two changes of one policy', () => {
  it('fit together when they are in different places', () => {
    assert.deepEqual(merge(['{', 'A', 'b', 'c', 'd', '}'], ['{', 'a', 'b', 'c', 'd', 'e', '}']), ['{ A b c d e }', 0]);
    assert.deepEqual(merge(['{', 'b', 'c', 'd', '}'], ['{', 'a', 'b', 'C', 'C2', 'd', '}']), ['{ b C C2 d }', 0]);
    assert.deepEqual(merge(['{', 'a', 'b', 'c', 'D', '}'], ['{', 'a', 'b', 'C', 'd', '}']), ['{ a b C D }', 0]);
    assert.deepEqual(merge(['{', 'a', 'b', 'c', 'D', '}'], ['{', 'a', 'b', 'c', 'd', 'e', '}']), ['{ a b c D e }', 0]);
    assert.deepEqual(merge(['{', 'a', 'b', 'c', 'd', 'e', '}'], ['{', 'a', 'b', 'c', 'D', '}']), ['{ a b c D e }', 0]);
  });

  it('are one when they are the same', () => {
    const both = ['{', 'a', 'B', 'c', 'd', '}'];
    assert.deepEqual(merge(both, both), ['{ a B c d }', 0]);
  });

  it('are both kept where both added something, and mine stays where both changed the same lines', () => {
    const conflict = merge(['{', 'a', 'b', 'c', 'd', 'x', '}'], ['{', 'a', 'b', 'c', 'd', 'y', '}']);
    assert.deepEqual(conflict, ['{ a b c d x y }', 1]);
    assert.deepEqual(merge(['{', 'a', 'T', 'c', 'd', '}'], ['{', 'a', 'M', 'c', 'd', '}']), ['{ a M c d }', 1]);
    assert.deepEqual(merge(['{', 'a', 'd', '}'], ['{', 'a', 'b', 'M', 'd', '}']), ['{ a b M d }', 1]);
  });

  it('lose nothing of what only one of them changed', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 }).map(text);
    fc.assert(
      fc.property(lines, lines, (base, changed) => {
        assert.deepEqual(mergeTexts(base, changed, base), { text: changed, conflicts: 0 });
        assert.deepEqual(mergeTexts(base, base, changed), { text: changed, conflicts: 0 });
        assert.deepEqual(mergeTexts(base, changed, changed), { text: changed, conflicts: 0 });
      }),
    );
  });
});
