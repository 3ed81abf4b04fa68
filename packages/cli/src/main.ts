/** `mesh`, the command-line program. `mesh.ts` lists its commands. */
import { COMPLETE } from './completion/scripts.ts';
import { mesh, NOUNS } from './mesh.ts';
import { runProgram } from './run-program.ts';

const [first, ...rest] = process.argv.slice(2);
if (first === COMPLETE) {
  const { complete } = await import('./completion/complete.ts');
  process.stdout.write(await complete(rest, { program: mesh(rest), nouns: NOUNS }));
} else {
  await runProgram(mesh(process.argv.slice(2)));
}
