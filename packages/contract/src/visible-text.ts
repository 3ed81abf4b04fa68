/**
 * The pattern of a label that people read: no control characters, none that are invisible or turn the writing around, and
 * no blanks at either end.
 */
export const VISIBLE_TEXT =
  '^(?!\\s)[^\\p{Cc}\\p{Zl}\\p{Zp}\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff]+(?<!\\s)$';
