import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
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

interface SecretStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks for a secret: what is typed is shown nowhere. */
export function askSecret(
  question: string,
  { input, output }: SecretStreams = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  output.write(question);
  // As a terminal, so that the system does not show it either.
  const terminal = createInterface({ input, output: nowhere, terminal: true });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  terminal.on('SIGINT', () => reject(new Interrupted('SIGINT')));
  terminal.on('close', () => reject(new Failure('nothing was typed', { exit: 'usage', code: 'usage' })));
  terminal.question('', resolve);
  return promise.finally(() => {
    terminal.close();
    output.write('\n');
  });
}

export function needsTerminal(instead: string): void {
  if (process.stdin.isTTY) return;
  throw new Failure('this command asks for input, and there is no terminal', {
    exit: 'usage',
    code: 'usage',
    hint: instead,
  });
}
