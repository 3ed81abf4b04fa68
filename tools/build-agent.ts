/**
 * Bundles the agent into the folder that MESH_AGENT_BUNDLE names, unless what is there was made from these very sources.
 * The service unit of the agent runs it before each start, so an upgrade needs no step of its own.
 */
import { resolve } from 'node:path';
import { freshBundle } from '@meshwork/cli/agent-bundle';
import { bundleAgent } from './agent-bundle.ts';

const root = resolve(import.meta.dirname, '..');
const folder = process.env.MESH_AGENT_BUNDLE;

if (folder === undefined || folder === '') {
  process.stderr.write('MESH_AGENT_BUNDLE is not set: it names the folder for the bundle.\n');
  process.exitCode = 2;
} else if (freshBundle(folder, root) === undefined) {
  await bundleAgent(root, folder);
  process.stderr.write(`bundled the agent into ${folder}\n`);
}
