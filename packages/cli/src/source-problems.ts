import type { FieldError } from '@meshwork/contract';
import { columnsOf, printable } from './terminal-text.ts';

/** A text that a person wrote, and what to call it. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

const INDENT = '    ';
/** So much of a line at most, around the place: a policy can be one line of a megabyte. */
const SHOWN = 72;

/**
 * What is wrong with a text, as compilers say it: the place, then the line and a caret below it.
 *
 *     policy.jsonc:3:24  There is no group "develpers". Did you mean "developers"?
 *         "grants": [{ "from": "develpers" }]
 *                              ^
 */
export function problemLines({ name, text }: Source, problems: readonly FieldError[]): string[] {
  // Editors on Windows begin a file with a mark that they do not show and that has no column.
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  return problems.flatMap(({ pointer, detail, line, column }) => {
    if (line === undefined) return [printable([name, pointer, detail].filter(Boolean).join('  '))];
    const place = [name, line, ...(column === undefined ? [] : [column])].join(':');
    return [printable(`${place}  ${detail}`), ...pointedAt(lines[line - 1], column)];
  });
}

function pointedAt(line: string | undefined, column: number | undefined): string[] {
  if (line === undefined || column === undefined) return [];
  const before = shown(line.slice(0, column - 1));
  const start = before.length > SHOWN - 12 ? before.length - SHOWN / 2 : 0;
  const visible = start === 0 ? before : `…${before.slice(start)}`;
  const rest = shown(line.slice(column - 1));
  const room = Math.max(0, SHOWN - visible.length);
  const end = rest.length > room ? `${rest.slice(0, room)}…` : rest;
  return [`${INDENT}${visible}${end}`.trimEnd(), `${INDENT}${' '.repeat(columnsOf(visible))}^`];
}

/** A tab as two spaces, so that the caret stands where it should in any terminal. */
function shown(part: string): string {
  return printable(part.replaceAll('\t', '  '));
}
