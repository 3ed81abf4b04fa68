import { once } from 'node:events';
import { styleText } from 'node:util';
import { printableText } from './terminal-text.ts';

/** Where results go: standard output has nothing but results, and with `--json` nothing but JSON. */
export class Output {
  readonly json: boolean;
  readonly #color: boolean;

  constructor(form: { readonly json: boolean; readonly color: boolean }) {
    this.json = form.json;
    this.#color = form.color;
  }

  /** The one result of a command: as it came with `--json`, as text for people otherwise. */
  async result(value: unknown, text: () => string): Promise<void> {
    await this.write(this.json ? `${JSON.stringify(value, null, 2)}\n` : `${text()}\n`);
  }

  /** One of many: a line of NDJSON. */
  async item(value: unknown): Promise<void> {
    await this.write(`${JSON.stringify(value)}\n`);
  }

  /** Waits while the reader is slower than we are. */
  async write(content: string | Uint8Array): Promise<void> {
    if (!process.stdout.write(content)) await once(process.stdout, 'drain');
  }

  /** A notice beside the result. Left out with `--json`. */
  notice(text: string): void {
    if (!this.json) process.stderr.write(`${text}\n`);
  }

  /** A text that stands for itself, unchanged; a terminal is not sent what it would obey. */
  async verbatim(text: string): Promise<void> {
    await this.write(process.stdout.isTTY ? printableText(text) : text);
  }

  strong(text: string): string {
    return this.#styled('bold', text);
  }

  tinted(tint: Tint, text: string): string {
    return this.#styled(TINTS[tint], text);
  }

  #styled(style: 'bold' | (typeof TINTS)[Tint], text: string): string {
    return this.#color ? styleText(style, text, { stream: process.stdout }) : text;
  }
}

const TINTS = { good: 'green', bad: 'red', doubtful: 'yellow' } as const;
export type Tint = keyof typeof TINTS;

/** Where progress is shown. It is for people: with `--json` there is none. */
export function screenOf(out: Output) {
  return out.json ? { write: () => true } : process.stderr;
}

/** `mesh … | head` closes our output early. That is no failure. */
export function endQuietlyWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
}
