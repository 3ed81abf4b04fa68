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
// An agent does without all other commands: it is small, and runs for months.
const main = join(here, '..', 'src', process.argv[2] === 'agent' ? 'agent-main.ts' : 'main.ts');

const [major, minor] = process.versions.node.split('.').map(Number);
const isRecent = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);

if (isRecent) await import(main);
else handOver(pinnedNode(here));

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
