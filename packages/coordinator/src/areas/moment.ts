import { invalid } from '@meshwork/contract';

/** The milliseconds of a moment that a caller gave. The schema has seen its form; a leap second still is none to us. */
export function momentOf(pointer: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(pointer, `"${text}" is not a date and time that exists`);
  return ms;
}
