import type { Location } from '@humanwhocodes/momoa';
import { LIMITS } from './limits.ts';

/** One thing that is wrong with a policy, for its author. */
export interface PolicyProblem {
  /** From 1, of the value or the name that is wrong. */
  readonly line: number;
  readonly column: number;
  /** JSON pointer to it. Empty: the whole document, also when it cannot be read as JSON at all. */
  readonly pointer: string;
  /** What is wrong, and what would be right. */
  readonly detail: string;
}

/** Where something stands. */
export interface Place {
  readonly start: Pick<Location, 'line' | 'column'>;
  readonly pointer: string;
}

/** Keeps the first few problems and counts the rest, which no author reads. */
export class Problems {
  readonly #kept: PolicyProblem[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The number of problems that `kept` leaves out. */
  get more(): number {
    return this.#count - this.#kept.length;
  }

  /** In the order of the text. */
  get kept(): readonly PolicyProblem[] {
    return this.#kept.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  /** The text is made only if it is kept: finding what was probably meant takes time. */
  report({ start, pointer }: Place, words: () => string): void {
    this.#count++;
    if (this.#kept.length >= LIMITS.problems) return;
    this.#kept.push({ line: start.line, column: start.column, pointer, detail: words() });
  }
}

const QUOTED_AT_MOST = 80;

/** A value in the words of a problem. What cannot be seen is escaped, and what is long is cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_AT_MOST ? `${text.slice(0, QUOTED_AT_MOST)}…` : text);
}

/** `"a", "b" or "c"`. */
export function oneOf(names: readonly string[], word = 'or'): string {
  const quoted = names.map(quote);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${word} ${last}`;
}

export function counted(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
