/** A document as lines to compare: its fields in one order, and a policy as it was written. */

export function documentText(document: unknown): string {
  return document === null || document === undefined ? '' : lines(document, '').join('\n');
}

/** Nested values are indented below their name; text of several lines is shown as lines, not as one with `\n` in it. */
function lines(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => named('-', one, indent));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .flatMap(([name, one]) => named(`${name}:`, one, indent));
  }
  return [`${indent}${scalar(value)}`];
}

function named(name: string, value: unknown, indent: string): string[] {
  if (isEmpty(value)) return [`${indent}${name} ${Array.isArray(value) ? '[]' : '{}'}`];
  if (typeof value === 'object' && value !== null) return [`${indent}${name}`, ...lines(value, `${indent}  `)];
  if (typeof value === 'string' && value.includes('\n')) {
    return [`${indent}${name}`, ...value.split('\n').map((line) => `${indent}  | ${line}`)];
  }
  return [`${indent}${name} ${scalar(value)}`];
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
