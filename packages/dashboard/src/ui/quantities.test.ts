import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesText, msText } from './quantities.ts';

describe('numbers as people read them', () => {
  test('bytes in the unit that fits', () => {
    assert.deepEqual([0, 1, 1023, 1024, 1536, 123 * 1024 ** 2, 5 * 1024 ** 4].map(bytesText), [
      '0 B',
      '1 B',
      '1023 B',
      '1.0 KiB',
      '1.5 KiB',
      '123 MiB',
      '5.0 TiB',
    ]);
  });

  test('round trips', () => {
    assert.deepEqual([0.42, 8.44, 41.6].map(msText), ['0.4 ms', '8.4 ms', '42 ms']);
  });
});
