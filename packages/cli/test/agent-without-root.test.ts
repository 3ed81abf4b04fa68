import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAIN, mesh, tempFolder } from './run-mesh.ts';

test('`agent run` without the right to change the network fails as `agent check` does, and touches nothing', async () => {
  await using folder = await tempFolder();
  const state = join(folder.path, 'state');
  const env = { MESH_STATE_DIR: state };
  const setpriv = ['--bounding-set=-all', '--inh-caps=-all', '--', process.execPath, MAIN] as const;
  const program = ['setpriv', ...setpriv] as const satisfies readonly [string, ...string[]];
  const check = await mesh(['agent', 'check'], { env, program });
  const run = await mesh(['agent', 'run'], { env, program });
  assert.match(check.stderr, /CAP_NET_ADMIN is missing/);
  assert.deepEqual([run.code, run.stderr], [check.code, check.stderr]);
  assert.equal(run.code, 12);
  assert.equal(existsSync(state), false);
});
