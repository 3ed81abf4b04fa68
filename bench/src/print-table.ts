import type { Row } from './measure.ts';

export function printTable(title: string, rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.what,
    `${number(row.value)} ${row.unit}`,
    row.against === undefined ? '' : `${number(row.against.value)} ${row.unit} (${row.against.what})`,
    row.against === undefined ? '' : (row.value / row.against.value).toFixed(2),
    row.aim ?? '',
  ]);
  const all = [['', 'measured', 'against', 'ratio', 'aim'], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  const lines = all.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
}
