import { stripVTControlCharacters } from 'node:util';

/**
 * Text from elsewhere, made safe to print: names may contain anything, and a terminal obeys what it is sent. Escape
 * sequences, control characters and the marks that turn the writing direction are taken out; line ends become spaces.
 * The joiner inside emoji (U+200D) stays, for it commands nothing.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .toWellFormed()
    .replaceAll(/[\t\n\r\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/(?!\u200d)[\p{Cc}\p{Cf}]/gu, '');
}

/** The same for a text of many lines, which keeps its lines and its tabs. */
export function printableText(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('');
}

/** Characters that take two columns: East Asian wide ones and emoji. */
const WIDE =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
/** Made when first needed: that takes longer than most commands do. */
let segmenter: Intl.Segmenter | undefined;

/** How many columns of a terminal the text takes. Terminals disagree about rare characters; this is what most do. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) {
    if (WIDE.test(segment)) columns += 2;
    else if (!/^[\p{M}\u200d]+$/u.test(segment)) columns += 1;
  }
  return columns;
}

/** Words in lines of so many columns at most; a word that is longer stands alone. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of printable(text).split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && columnsOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Words after a beginning, on lines that start where the words did. */
export function hanging(start: string, words: string, columns: number): string[] {
  const [first = '', ...rest] = wrapped(words, columns - start.length);
  return [`${start}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(start.length)}${line}`)];
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}
