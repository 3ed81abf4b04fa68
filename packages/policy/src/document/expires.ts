import { quote } from './problems.ts';

const UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z$/;
/** As other programs write it: a day alone, without seconds, with a space, in another zone or in none. */
const LIKE_A_MOMENT = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?))?$/;

/** ISO 8601 in UTC, on a day that there is: `2027-01-31T00:00:00Z`, with or without a fraction. */
export function isTimestamp(text: string): boolean {
  const seconds = text.length > 40 ? undefined : UTC.exec(text)?.[1];
  // The 30th of February is read as the 2nd of March: only what is written the same way again was a moment.
  return seconds !== undefined && written(`${seconds}Z`) === `${seconds}Z`;
}

/** What is wrong with a text that is no moment, and which was meant. */
export function expiresWords(text: string): string {
  const form = 'A moment is written in UTC, such as "2027-01-31T00:00:00Z"';
  if (text.length <= 40 && UTC.test(text)) return `There is no moment ${quote(text)}: look at its day and its hour.`;
  const [, day, rest = ''] = LIKE_A_MOMENT.exec(text) ?? [];
  if (day === undefined) return `${quote(text)} is not a moment. ${form}.`;
  const zoned = /(?:[Zz]|[+-]\d\d:\d\d)$/.test(rest);
  const meant = written(rest === '' ? `${day}T00:00:00Z` : `${day}T${rest.toUpperCase()}${zoned ? '' : 'Z'}`);
  if (meant === undefined || (!zoned && !meant.startsWith(day))) return `${quote(text)} is not a moment. ${form}.`;
  if (rest === '') return `${quote(text)} has no time. Write ${quote(meant)}.`;
  return zoned
    ? `${quote(text)} is not how a moment in UTC is written. Write ${quote(meant)}.`
    : `${quote(text)} does not say in which zone. In UTC it is ${quote(meant)}.`;
}

function written(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, -5)}Z`;
}
