import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText } from './durations.ts';
import { readSize, sizeText } from './sizes.ts';

test('a size is typed with a unit or in bytes', () => {
  const typed = ['50 MB', '50MB', '50 mib', '1.5 GB', '1,048,576', '0', '12 bytes', ' 8 kB ', '2k', '1Gi'].map(
    readSize,
  );
  assert.deepEqual(typed, [50_000_000, 50_000_000, 52_428_800, 1_500_000_000, 1_048_576, 0, 12, 8000, 2000, 2 ** 30]);
  for (const wrong of ['', 'MB', '50 XB', '-1', '5 parsecs', '9999999999 TB'])
    assert.equal(readSize(wrong), null, wrong);
});

test('a size is written so that reading it gives the same', () => {
  assert.deepEqual([50_000_000, 52_428_800, 1000, 1023, 1, 0, 2 ** 50].map(sizeText), [
    '50 MB',
    '50 MiB',
    '1 kB',
    '1,023 bytes',
    '1 byte',
    '0 bytes',
    '1,024 TiB',
  ]);
  for (const bytes of [0, 1, 999, 1024, 1_500_000, 52_428_801, 2 ** 50]) assert.equal(readSize(sizeText(bytes)), bytes);
});

test('seconds are written in the largest unit that they fill', () => {
  assert.deepEqual([3, 60, 90, 3600, 86_400, 5400].map(durationText), ['3 s', '1 min', '90 s', '1 h', '1 d', '90 min']);
});
