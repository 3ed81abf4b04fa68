/**
 * A Markdown table, its columns padded as the formatter of the repository wants them. Cells may hold Markdown of their
 * own; only what would end the cell is escaped.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  const [first = '', ...others] = lines.map(line);
  return [first, rule, ...others].join('\n');
}
