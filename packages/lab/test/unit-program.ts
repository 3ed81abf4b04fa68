/** How the service unit runs the agent: from its bundle, with options of Node that keep it small. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const UNIT = join(ROOT, 'deploy/systemd/mesh-agent.service');

/** What the unit sets for memory, and that nothing that was compiled is kept, as there. */
export const UNIT_ENVIRONMENT = ['MALLOC_ARENA_MAX=1', 'LC_ALL=C', 'NODE_DISABLE_COMPILE_CACHE=1'];

/** Where tools keep such things: it is the same for all tests. */
const BUNDLE = join(ROOT, 'node_modules/.cache/mesh-agent-test');
let bundled: Promise<readonly string[]> | undefined;

/**
 * `mesh` with the bundle of the agent, but with Node's compilers and what they have compiled: an agent starts in a third of the
 * time that it takes from its sources.
 */
export function bundledProgram(): Promise<readonly string[]> {
  bundled ??= bundleInto(BUNDLE).then(() => [
    ...['env', `MESH_AGENT_BUNDLE=${BUNDLE}`],
    ...[process.execPath, join(ROOT, 'packages/cli/bin/mesh.js')],
  ]);
  return bundled;
}

/** `mesh` as on a node. The bundle is made in this folder, unless it is there. */
export async function unitProgram(bundle: string): Promise<readonly string[]> {
  await bundleInto(bundle);
  const node = [process.execPath, ...(await unitFlags())];
  return ['env', ...UNIT_ENVIRONMENT, `MESH_AGENT_BUNDLE=${bundle}`, ...node, join(ROOT, 'packages/cli/bin/mesh.js')];
}

async function bundleInto(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'packages/cli/src/build-agent.ts'), folder]);
}

export async function unitFlags(): Promise<readonly string[]> {
  const [, flags] = /^ExecStart=\S+ ((?:--\S+ )+)\S+ agent run$/m.exec(await readFile(UNIT, 'utf8')) ?? [];
  if (flags === undefined) throw new Error(`${UNIT} does not say how the agent is run`);
  return flags.trim().split(' ');
}
