import type { Parameter } from './parameters.ts';

/** What a flag or an argument is for: the description of the API, in the voice of a help page. */
export function helpOf({ schema, words, required, place }: Parameter): string {
  const text = words.help ?? helpFrom(schema.description ?? '');
  const value = words.default ?? schema.default;
  if (value === undefined || required || place === 'params' || /\bdefault\b/i.test(text)) return text;
  return `${text} (default: ${typeof value === 'string' ? value : JSON.stringify(value)})`.trim();
}

const ABSENT = / ?\b(?:Null or absent|Absent): ([^.]*)\.?/;

/** Descriptions say what absence means; on a command line that is the default. */
export function helpFrom(description: string): string {
  const [, otherwise] = ABSENT.exec(description) ?? [];
  const text = description
    .replace(ABSENT, '')
    .replaceAll(/`([^`]*)`/g, '$1')
    .replace(/^True: /, '')
    .replace(/ ?\bNull: [^.]*\.?/, '')
    .replace(/\.$/, '')
    .trim();
  const isName = /^[A-Z]{2}|^[A-Z][a-z]+[A-Z]/.test(text);
  const help = isName ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  return otherwise === undefined ? help : `${help} (default: ${otherwise.replaceAll('`', '')})`;
}
