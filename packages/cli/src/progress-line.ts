import type { Output } from './output.ts';
import { printable } from './terminal-text.ts';

/**
 * What is going on meanwhile, on standard error: one line that changes where a person watches, a line for each change
 * where it ends up in a file, and nothing where JSON is wanted.
 */
export class ProgressLine implements Disposable {
  readonly #silent: boolean;
  readonly #live: boolean;
  #shown = '';

  constructor(out: Output) {
    this.#silent = out.json;
    this.#live = process.stderr.isTTY === true;
  }

  show(text: string): void {
    const line = printable(text);
    if (this.#silent || line === this.#shown) return;
    process.stderr.write(this.#live ? `\r${line}\u001b[K` : `${line}\n`);
    this.#shown = line;
  }

  /** Makes way for the result. */
  [Symbol.dispose](): void {
    if (this.#live && this.#shown !== '') process.stderr.write('\r\u001b[K');
    this.#shown = '';
  }
}
