import { createInterface } from 'node:readline';
import { Failure } from './failure.ts';
import { Interrupted } from './signals.ts';

export type Ask = (question: string) => Promise<string>;

/** Asks the person at the terminal, on standard error: standard output has nothing but results. */
export function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  terminal.on('SIGINT', () => reject(new Interrupted('SIGINT')));
  terminal.on('close', () => resolve('n')); // Ctrl-D is not a yes
  terminal.question(question, resolve);
  return promise.finally(() => terminal.close());
}

export function needsTerminal(instead: string): void {
  if (process.stdin.isTTY) return;
  throw new Failure('this command asks for input, and there is no terminal', {
    exit: 'usage',
    code: 'usage',
    hint: instead,
  });
}
