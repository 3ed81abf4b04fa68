import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const MODULE = new URL('./agent-process.ts', import.meta.url).href;
const PRINT = `const { agentEnvironment } = await import('${MODULE}');
  process.stdout.write(agentEnvironment('/run/lab/nodes/a').NODE_COMPILE_CACHE);`;

/** Where agents keep compiled code that are started by a process with this environment. */
function keptBy(env: Readonly<Record<string, string>>): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', PRINT], { env, encoding: 'utf8' });
}

test('agents keep compiled code where the process does that starts them', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-lab-kept-'));
  const kept = keptBy({ NODE_COMPILE_CACHE: folder.path });
  assert.ok(kept.startsWith(join(folder.path, '/')) || kept === folder.path, kept);
});

test('agents of a process that keeps none share a place in the folder of their lab', () => {
  assert.equal(keptBy({}), '/run/lab/compiled');
});
