import { invalid } from '@meshwork/contract';

/**
 * What a password is not made of: after the words and runs below are counted as one character each, this many must be left.
 * Length alone is checked by the schema. A list of millions of known passwords would be better and is not ours to carry
 * (docs/decisions/0028).
 */
const FEWEST_UNITS = 7;
const FEWEST_DIFFERENT = 5;

/** What the most common passwords are made of, plain letters only. */
const WORDS =
  'password passwort passw admin administrator welcome letmein iloveyou monkey dragon football baseball basketball soccer hockey princess sunshine master shadow superman batman spiderman pokemon starwars trustno michael jordan jennifer jessica michelle daniel charlie ashley andrew thomas robert matthew anthony joshua william freedom whatever computer internet google facebook linkedin samsung windows microsoft apple android hello secret login guest default changeme change please access money cheese killer hunter flower summer winter spring autumn monday friday january february december london america liverpool chelsea arsenal barcelona qwerty qwertz azerty asdf zxcv qazwsx abc test temp user root server network security meshwork mesh panel owner wireguard coordinator correcthorsebatterystaple';
const COMMON = WORDS.split(' ').sort((a, b) => b.length - a.length);
const KEYBOARD = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  'yxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
];
const SHORTEST_RUN = 3;

/** Refuses common passwords, and those made from the person's name. */
export function ensureGoodPassword(
  password: string,
  person: { readonly name: string; readonly display_name: string },
): void {
  if (new Set(password.toLowerCase()).size < FEWEST_DIFFERENT) {
    throw invalid('/password', 'has too few different characters');
  }
  const own = [person.name, ...`${person.name} ${person.display_name}`.split(/[^\p{L}\p{N}]+/u)];
  const words = [...own.map(plain).filter((word) => word.length >= 3), ...COMMON];
  if (unitsOf(password, words) < FEWEST_UNITS) {
    throw invalid('/password', 'is too easy to guess; use several unrelated words, or a random password');
  }
}

function unitsOf(password: string, words: readonly string[]): number {
  let rest = plain(password);
  for (const word of words) rest = rest.replaceAll(word, '\0');
  return collapseRuns(collapseRepeats(rest)).length;
}

/** Lower case, and as letters what is written for letters. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll(/(?<=\p{L})0|0(?=\p{L})/gu, 'o')
    .replaceAll(/(?<=\p{L})[1!](?=\p{L})/gu, 'i')
    .replaceAll(/(?<=\p{L})3(?=\p{L})/gu, 'e');
}

/**
 * `aaaa` and `abcabc` are as good as `a` and `abc`. What repeats only after 32 characters is long enough without; to look for any
 * length would take a time that grows with the square of the text, which a letter that stands for eighteen makes long.
 */
function collapseRepeats(text: string): string {
  return text.replaceAll(/(.{1,32}?)\1+/gs, '$1');
}

/** `12345`, `qwert` and `gfedc` are as good as one character. */
function collapseRuns(text: string): string {
  let collapsed = '';
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at);
    collapsed += text[at];
    at += length;
  }
  return collapsed;
}

function runAt(text: string, at: number): number {
  let longest = 1;
  for (const row of ROWS) {
    const start = row.indexOf(text.slice(at, at + SHORTEST_RUN));
    if (start < 0 || at + SHORTEST_RUN > text.length) continue;
    let length = SHORTEST_RUN;
    while (at + length < text.length && row[start + length] === text[at + length]) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

const ROWS = KEYBOARD.flatMap((row) => [row, [...row].reverse().join('')]);
