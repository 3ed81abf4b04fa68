/** Texts of a record that may have anything in them that can be printed, as words of nginx. */
import { createHash } from 'node:crypto';
import { constant, type Directive, type Expression, joined } from './nginx-text.ts';

/** nginx reads words of up to 4 KiB, and every character may need a backslash. */
const MAX_PIECE = 1500;

/** For a place that takes variables. */
export function wordFor(text: string): string | Expression {
  return isPlain(text) ? text : joined(...constantsOf(text).map(({ value }) => value));
}

/** What `wordFor` relies on, once for all texts. */
export function definitionsFor(texts: readonly string[]): readonly Directive[] {
  const all = texts.filter((text) => !isPlain(text)).flatMap(constantsOf);
  return [...new Map(all.map(({ value, definition }) => [value.expression, definition])).values()];
}

function isPlain(text: string): boolean {
  return text.length <= MAX_PIECE && !text.includes('$');
}

function constantsOf(text: string) {
  const count = Math.ceil(text.length / MAX_PIECE);
  const pieces = Array.from({ length: count }, (_, index) => text.slice(index * MAX_PIECE, (index + 1) * MAX_PIECE));
  return pieces.map((piece) => constant(digestOf(piece), piece));
}

/** Short enough for the tables of nginx, and long enough to be the only one. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
