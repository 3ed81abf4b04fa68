import { mkdir } from 'node:fs/promises';
import { arch } from 'node:os';
import { test } from 'node:test';
import { PATH } from './debian-root.ts';
import { FreshMachine, TIMEOUT_MS } from './fresh-machine.ts';
import { installInto } from './outer-npm.ts';

const NODE = `node-linux-${arch()}`;
const FOLDER = '/opt/node-20';

test('a minimal Debian with Node 20 runs the commands of the README', { timeout: TIMEOUT_MS }, async () => {
  await using machine = await FreshMachine.make([]);
  await mkdir(machine.root.outside(FOLDER), { recursive: true });
  await installInto(machine.root.outside(FOLDER), [`${NODE}@20.20.2`, 'npm@10.8.2']);
  await machine.tryReadme(`${FOLDER}/node_modules/.bin:${PATH}`, /^v20\./);
});
