import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MESSAGE_LIMIT } from '@meshwork/store';
import { PartedTexts, partsOf } from './message-parts.ts';

describe('a text that is more than a message', () => {
  it('comes in parts that each are one, whatever is in it, and is whole with the last of them', () => {
    for (const letter of ['x', '"', '\u0001', '€', '\ud800']) {
      const text = letter.repeat(20_000);
      const parts = partsOf(text) ?? [];
      assert.ok(parts.length > 1);
      for (const part of parts) assert.ok(Buffer.byteLength(JSON.stringify(part)) <= MESSAGE_LIMIT, letter);
      const texts = new PartedTexts();
      const [first, ...rest] = parts.toReversed();
      assert.ok(first);
      for (const part of rest) assert.equal(texts.take(part), undefined);
      assert.equal(texts.take(first), text);
    }
  });

  it('is not mixed with another', () => {
    const [one = [], other = []] = [partsOf('a'.repeat(3000)), partsOf('b'.repeat(3000))];
    const texts = new PartedTexts();
    const got = one.flatMap((part, index) => [part, other[index] ?? part]).map((part) => texts.take(part));
    assert.deepEqual(
      got.filter((text) => text !== undefined),
      ['a'.repeat(3000), 'b'.repeat(3000)],
    );
  });

  it('is given up when too many others are on their way, and is not sent when it is too long for parts', () => {
    const texts = new PartedTexts();
    const [first, last, ...more] = partsOf('a'.repeat(2000)) ?? [];
    assert.ok(first && last && more.length === 0);
    texts.take(first);
    for (let others = 0; others < 40; others++)
      for (const part of (partsOf('b'.repeat(2000)) ?? []).slice(0, 1)) texts.take(part);
    assert.equal(texts.take(last), undefined);
    assert.equal(partsOf('a'.repeat(1_000_000)), undefined);
  });
});
