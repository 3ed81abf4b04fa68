import { columnsOf, padEnd, printable } from './terminal-text.ts';

const GAP = '  ';

/** Rows under headings, every column as wide as its widest cell. The cells are made printable here. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  strong: (text: string) => string,
): string {
  const [head = '', ...body] = alignedLines([headings, ...rows]);
  return [strong(head), ...body].join('\n');
}

/** One thing, a field a line. */
export function fields(pairs: readonly (readonly [name: string, value: string])[]): string {
  return alignedLines(pairs).join('\n');
}

/** Rows without headings, for what reads as sentences. */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  return alignedLines(rows).join('\n');
}

function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, columnsOf(cell));
  }
  return cells.map((row) =>
    row
      .map((cell, column) => padEnd(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}
