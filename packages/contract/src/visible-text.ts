/**
 * Patterns of texts that people read and tell things apart by. Two names that look the same must be the same: so no control
 * or format characters (zero-width, bidirectional, soft hyphen, tags), nothing that is private, unassigned or half of a
 * pair, nothing that is drawn as nothing (Default_Ignorable_Code_Point: fillers, variation selectors; U+2800), and no blank but
 * the plain space. Accents may be composed or not, which most scripts need: names are compared as they are.
 */
const INVISIBLE = '\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800';

/** An emoji may have the invisible parts that it is made of, and only there: its presentation, and joiners between two. */
const EMOJI = '\\p{Extended_Pictographic}';
const EMOJI_PART = `(?<=${EMOJI})\\ufe0f|(?<=${EMOJI}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=${EMOJI})`;
const VISIBLE = `(?:[^${INVISIBLE}]|${EMOJI_PART})`;

/** A name, in one line: single spaces inside, none at either end. */
export const VISIBLE_TEXT = `^${VISIBLE}+(?: ${VISIBLE}+)*$`;

/** A note, perhaps of several lines. */
export const VISIBLE_NOTE = `^(?:${VISIBLE}|[ \\n\\t])*$`;

/**
 * A name that was taken by another service, perhaps of an older version with an older rule: it must not lock its bearer out.
 * Only what could break a line or turn the writing around is refused.
 */
export const ATTESTED_TEXT =
  '^(?!\\s)[^\\p{Cc}\\p{Zl}\\p{Zp}\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]+(?<!\\s)$';
