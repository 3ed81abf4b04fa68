import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName } from './browser-name.ts';

test('recognises each browser, though most claim to be several', () => {
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  assert.equal(browserName(windows), 'Chrome on Windows');
  assert.equal(browserName(`${windows} Edg/140.0`), 'Edge on Windows');
  assert.equal(
    browserName('Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'),
    'Firefox on Android',
  );
});

test('what is none says itself what it is, in short', () => {
  assert.equal(browserName('curl/8.5.0'), 'curl/8.5.0');
  assert.equal(browserName('x'.repeat(500)).length, 40);
  assert.equal(browserName(''), 'Unknown');
});
