import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** Loads what `mesh agent run` loads, and prints the address of each module. */
const CHILD = `
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
process.on('exit', () => writeSync(3, JSON.stringify(loaded)));
const [agent, main] = process.argv.slice(1);
process.argv.splice(1, Infinity, main, 'agent', '--help');
await import(agent);
await import(main);
`;

test('an agent loads neither a schema of the contract nor the library that checks them', async () => {
  const files = [import.meta.resolve('@meshwork/agent'), import.meta.resolve('./agent-main.ts')];
  const script = `exec 3>&1 >/dev/null; exec "$@"`;
  const args = ['-c', script, 'sh', process.execPath, '--input-type=module', '-e', CHILD, ...files];
  const { stdout } = await promisify(execFile)('sh', args);
  const loaded = JSON.parse(stdout) as readonly string[];
  const of = (pattern: RegExp) => loaded.filter((url) => pattern.test(url));
  assert.notDeepEqual(of(/\/agent\/src\/node-agent\.ts$/), [], 'it is the agent');
  assert.notDeepEqual(of(/\/contract\/src\/wire\/generated\/operations\.ts$/), [], 'it calls by the light table');
  assert.deepEqual(of(/\/typebox\/|\/contract\/src\/(?:type|index|operations)\.ts$/), []);
});
