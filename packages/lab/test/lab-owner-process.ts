/**
 * A process that brings up a lab and then waits to be killed, as a test may be. Its first argument is what to bring up. Says
 * when the lab is up; the program in its first node, which is there to be ended, has the name of the lab in its arguments.
 */
import { once } from 'node:events';
import { Lab, type LabOptions } from '../src/namespaces/lab.ts';

const options = JSON.parse(process.argv[2] ?? '') as LabOptions & { readonly leaves?: boolean };
const lab = await Lab.up(options);
const [first] = lab.nodes.values();
// The shell stays, with its arguments. It says when it is in its namespace: before, ending the lab would not reach it.
const script = 'echo here; sleep 1000; true';
const program = first?.spawn('sh', ['-c', script, options.name], {
  detached: true,
  stdio: ['ignore', 'pipe', 'ignore'],
});
if (program?.stdout) await once(program.stdout, 'data');
process.send?.('up');
if (options.leaves === true) process.exit(0);
setInterval(() => undefined, 2 ** 30);
