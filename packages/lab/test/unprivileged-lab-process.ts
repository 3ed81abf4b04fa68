/** Tries to bring up a lab without being root, and says on its output what came of it. */
import { Lab } from '../src/namespaces/lab.ts';

process.setgid?.(65_534);
process.setuid?.(65_534);
try {
  await Lab.up({ name: 'unprivileged', nodes: [{ name: 'a' }], coordinator: 'http://127.0.0.1:7400', program: [] });
  process.stdout.write('it is up');
} catch (error) {
  process.stdout.write(String(error));
}
