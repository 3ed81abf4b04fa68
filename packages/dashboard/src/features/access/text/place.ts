import { getLocation, type Node } from 'jsonc-parser';
import { shallowPart } from './tree.ts';

/** Where in a policy the cursor is. */
export interface Place {
  /** The way there: `['grants', 2, 'allow', 0]`. For a name it leads to the object that it is of. */
  readonly path: readonly (string | number)[];
  readonly is_name: boolean;
  /** What stands there so far. Absent: nothing yet. */
  readonly written?: Written;
}

interface Written {
  /** A word is whatever has no quotes: a number, or a name or a value that still lacks them. */
  readonly kind: 'string' | 'word';
  readonly text: string;
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  /** A string whose closing quote is missing. */
  readonly is_open: boolean;
}

/** Undefined: neither a name nor a value can stand there. */
export function placeAt(text: string, position: number): Place | undefined {
  const { path, previousNode: last, isAtPropertyKey } = getLocation(shallowPart(text), position);
  if (path.length === 0) return undefined;
  const written = (last && stringAt(text, last, position)) ?? wordAt(text, position);
  // Right behind a closing quote comes a colon or a comma first.
  if (written === undefined && last !== undefined && position === last.offset + last.length) return undefined;
  const isBehind = last !== undefined && (written?.start ?? position) > last.offset + last.length;
  // Behind a value whose comma is missing comes a name, behind a name whose colon is missing a value.
  const is_name =
    last === undefined ? isAtPropertyKey || isBehindBracket(text, position) : (last.type === 'property') !== isBehind;
  const place =
    typeof path.at(-1) !== 'number' && is_name ? { path: path.slice(0, -1), is_name } : { path, is_name: false };
  return written === undefined ? place : { ...place, written };
}

const CLOSED_STRING = /^"(?:\\.|[^"\\])*"$/;

/** Between the quotes, not on them. */
function stringAt(text: string, { type, value, offset, length }: Node, position: number): Written | undefined {
  if (type !== 'string' && type !== 'property') return undefined;
  const [start, end] = [offset, offset + length];
  const is_open = !CLOSED_STRING.test(text.slice(start, end));
  if (position <= start || position > end || (position === end && !is_open)) return undefined;
  return { kind: 'string', text: String(value), start, end, is_open };
}

const OF_WORD = /[^\s{}[\],:"]/;

/** The parser leaves out words that need quotes and lack them. */
function wordAt(text: string, position: number): Written | undefined {
  let [start, end] = [position, position];
  while (OF_WORD.test(text.charAt(start - 1))) start -= 1;
  while (OF_WORD.test(text.charAt(end))) end += 1;
  return start === position ? undefined : { kind: 'word', text: text.slice(start, end), start, end, is_open: false };
}

/** There `isAtPropertyKey` is still about the inside of the brackets. */
function isBehindBracket(text: string, position: number): boolean {
  return /[}\]]$/.test(text.slice(0, position).trimEnd());
}
