import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextLines } from './text-lines.ts';

describe('lines of text that comes in pieces', () => {
  it('are the same for pieces of any length', () => {
    const text = 'one\n\nthree and more\nnot ended';
    for (let length = 1; length <= text.length; length += 1) {
      const lines = new TextLines();
      const taken: string[] = [];
      for (let at = 0; at < text.length; at += length) taken.push(...lines.take(text.slice(at, at + length)));
      assert.deepEqual(taken, ['one', '', 'three and more'], `${length} at a time`);
    }
  });

  it('are not made of the words of two processes', () => {
    const lines = new TextLines();
    assert.deepEqual(lines.take('whole\nhalf a li'), ['whole']);
    lines.begin();
    assert.deepEqual(lines.take('next\n'), ['next']);
  });

  it('are kept within bounds', () => {
    const lines = new TextLines();
    for (let piece = 0; piece < 100; piece += 1) assert.deepEqual(lines.take('x'.repeat(100_000)), []);
    const [line = ''] = lines.take('the end\n');
    assert.ok(line.endsWith('xthe end') && line.length < 20_000);
  });
});
