import { runWithUs } from './run.ts';

/** Many changes by one process. Absent: in no namespace. */
export async function ip(namespace: string | undefined, lines: readonly string[]): Promise<void> {
  const where = namespace === undefined ? [] : ['-n', namespace];
  await runWithUs('ip', [...where, '-batch', '-'], { input: `${lines.join('\n')}\n` });
}

export async function inNamespace(
  namespace: string,
  command: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  await runWithUs('ip', ['netns', 'exec', namespace, command, ...args], { input });
}
