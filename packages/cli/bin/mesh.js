#!/usr/bin/env node
// Starts `mesh`, which Node runs straight from its TypeScript source and which therefore needs a recent Node. This file
// is plain JavaScript, which Node 14 can read too: it finds the Node that npm installed beside us, and hands over to it.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST = [24, 16];
/** The npm package that carries Node for this machine. `tools/node` looks for the same. */
const PINNED = `node-${process.platform}-${process.arch}`;
const here = dirname(realpathSync(fileURLToPath(import.meta.url)));
const main = process.argv[2] === 'agent' ? await agentMain() : join(here, '..', 'src', 'main.ts');

const [major, minor] = process.versions.node.split('.').map(Number);
const isRecent = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);

if (isRecent) await import(main);
else handOver(pinnedNode(here));

/** An agent does without all other commands, and runs from its bundle where there is one: it is small, and runs for months. */
async function agentMain() {
  const folder = process.env.MESH_AGENT_BUNDLE;
  const sources = join(here, '..', 'src', 'agent-main.ts');
  if (!folder) return sources;
  const { freshBundle } = await import('./agent-bundle.js');
  return freshBundle(folder, join(here, '..', '..', '..')) || sources;
}

/** The binary in the nearest node_modules above. */
function pinnedNode(folder) {
  const candidate = join(folder, 'node_modules', PINNED, 'bin', 'node');
  if (existsSync(candidate)) return candidate;
  const parent = dirname(folder);
  return parent === folder ? undefined : pinnedNode(parent);
}

function handOver(node) {
  if (node === undefined) {
    process.stderr.write(
      `mesh: Node ${OLDEST.join('.')} or newer is needed, and this is Node ${process.versions.node}. ` +
        `Run "npm ci" in the checkout, which installs ${PINNED}, or install a newer Node.\n`,
    );
    process.exit(2);
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`mesh: ${node} cannot be started: ${error.message}\n`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal); // ends us in the same way, which is how shells tell
  });
}
