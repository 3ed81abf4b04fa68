import { test } from 'node:test';
import { PATH } from './debian-root.ts';
import { FreshMachine, TIMEOUT_MS } from './fresh-machine.ts';

test('a minimal Debian with its own Node and npm runs the commands of the README', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using machine = await FreshMachine.make(['nodejs', 'npm']);
  // Node 18 and npm 9 in bookworm, the oldest that we promise.
  await machine.tryReadme(PATH, /^v(?:1[89]|2\d)\./);
});
