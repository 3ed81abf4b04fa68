/** How a table is written: one thing a line, and what belongs to it between braces. */
export function block(head: string, lines: readonly string[]): readonly string[] {
  return [`${head} {`, ...lines.map(indented), '}'];
}

export function indented(line: string): string {
  return `  ${line}`;
}
