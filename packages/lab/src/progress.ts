/** Where progress is shown: standard error, as a rule, so that it never mixes with results. */
export interface Screen {
  write(text: string): unknown;
  /** False: a file or a pipe, which gets whole lines and fewer of them. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

interface ProgressOptions {
  readonly screen: Screen;
  readonly now: () => number;
}

const BAR_COLUMNS = 30;
const DEFAULT_COLUMNS = 80;
/** Ours: as often as an eye can follow, and as often as a log should be written to. */
const TERMINAL_EVERY_MS = 100;
const LOG_EVERY_MS = 10_000;

/** One line that is written over again and again on a terminal, and now and then as a line of its own elsewhere. */
export class StatusLine {
  readonly #screen: Screen;
  readonly #now: () => number;
  #shownAt = Number.NEGATIVE_INFINITY;
  #shown = '';

  constructor({ screen, now }: ProgressOptions) {
    this.#screen = screen;
    this.#now = now;
  }

  /** Shows it if the last one has stood for long enough. */
  update(text: string): void {
    const every = this.#screen.isTTY === true ? TERMINAL_EVERY_MS : LOG_EVERY_MS;
    if (this.#now() - this.#shownAt >= every) this.#show(text);
  }

  /** The last word, which stays. */
  end(text: string): void {
    if (this.#screen.isTTY === true) {
      this.#show(text);
      this.#screen.write('\n');
    } else if (text !== this.#shown) this.#show(text);
    this.#shown = '';
  }

  /** A line of its own above the one that is written over. */
  note(text: string): void {
    const { isTTY } = this.#screen;
    this.#screen.write(isTTY === true ? `${this.#erased()}${text}\n${this.#shown}` : `${text}\n`);
  }

  #show(text: string): void {
    this.#shownAt = this.#now();
    if (this.#screen.isTTY !== true) {
      this.#shown = text;
      this.#screen.write(`${text}\n`);
      return;
    }
    // A full line would wrap, and then not be written over. A terminal that does not know its width says 0.
    const width = (this.#screen.columns || DEFAULT_COLUMNS) - 1;
    const fitting = text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
    const erased = this.#erased(fitting.length);
    this.#shown = fitting;
    this.#screen.write(`${erased}${fitting}`);
  }

  /** Back to the start of the line; what stood there is blanked out where nothing comes in its place. */
  #erased(next = 0): string {
    return this.#shown.length > next ? `\r${' '.repeat(this.#shown.length)}\r` : '\r';
  }
}

/** `enrolling  [##########--------------------]  3,333 of 10,000  1:12 left` */
export class ProgressBar {
  readonly #line: StatusLine;
  readonly #now: () => number;
  readonly #label: string;
  readonly #total: number;
  readonly #startedAt: number;

  constructor(label: string, total: number, options: ProgressOptions) {
    this.#line = new StatusLine(options);
    this.#now = options.now;
    this.#label = label;
    this.#total = total;
    this.#startedAt = options.now();
  }

  update(done: number): void {
    this.#line.update(this.#text(done));
  }

  end(done: number): void {
    this.#line.end(this.#text(done));
  }

  #text(done: number): string {
    const part = this.#total === 0 ? 1 : Math.min(1, done / this.#total);
    const filled = Math.round(part * BAR_COLUMNS);
    const bar = '#'.repeat(filled) + '-'.repeat(BAR_COLUMNS - filled);
    const numbers = `${grouped(done)} of ${grouped(this.#total)}`;
    return [this.#label, `[${bar}]`, numbers, this.#left(part)].filter((piece) => piece !== '').join('  ');
  }

  #left(part: number): string {
    const passedMs = this.#now() - this.#startedAt;
    if (part === 0 || part === 1 || passedMs < 1000) return '';
    const leftS = Math.round((passedMs / part - passedMs) / 1000);
    return `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')} left`;
  }
}

/** Shows a bar while the work goes on, and leaves it as it was when the work ended, well or not. */
export async function withBar(
  label: string,
  total: number,
  options: ProgressOptions,
  work: (progress: (done: number) => void) => Promise<unknown>,
): Promise<void> {
  if (total === 0) return;
  const bar = new ProgressBar(label, total, options);
  let reached = 0;
  try {
    await work((done) => {
      reached = done;
      bar.update(done);
    });
  } finally {
    bar.end(reached);
  }
}

export function grouped(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
