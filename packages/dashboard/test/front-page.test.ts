/** How much script a browser downloads before it shows the overview. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scene } from './scene.ts';

/** The promise: compressed script of the first page. */
const MOST_BYTES = 300 * 1024;

test('the first page loads less than 300 KB of compressed script', async () => {
  await using scene = await Scene.open({ mesh: false });
  await using person = await scene.person('owner');
  const devtools = await person.context.newCDPSession(person.page);
  await devtools.send('Network.enable');
  const scripts = new Set<string>();
  let bytes = 0;
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await person.opens('/');
  await person.sees('Overview');
  assert.ok(
    scripts.size > 0 && bytes > 50 * 1024,
    `only ${bytes} bytes in ${scripts.size} scripts: nothing was measured`,
  );
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes in ${scripts.size} scripts`);
});
