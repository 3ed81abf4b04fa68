import { type DocumentNode, parse } from '@humanwhocodes/momoa';
import type { PolicyProblem } from './problems.ts';
import { findSyntaxError } from './syntax-error.ts';
import { guardText, textProblem } from './text-guard.ts';

type Parsed =
  | { readonly ok: true; readonly root: DocumentNode }
  | { readonly ok: false; readonly problem: PolicyProblem };

const EMPTY = 'There is no policy in this text. One without grants, which denies everything, is written {}.';

/** Of a text that is not JSON only the first problem is reported: what follows it can no longer be understood. */
export function parseText(text: string): Parsed {
  const guarded = guardText(text);
  if (!guarded.ok) return guarded;
  if (guarded.text.trim() === '') return { ok: false, problem: textProblem(text, 0, EMPTY) };
  try {
    return { ok: true, root: parse(guarded.text, { mode: 'json', allowTrailingCommas: true }) };
  } catch (error) {
    if (!hasOffset(error)) throw error;
    // The parser only says where it stopped. People need to know what is missing.
    const { at, detail } = findSyntaxError(guarded.text) ?? { at: error.offset, detail: UNKNOWN_ESCAPE };
    return { ok: false, problem: textProblem(guarded.text, Math.min(at, guarded.text.length), detail) };
  }
}

/** The one thing that the parser refuses in a text whose pieces are all in their place. */
const UNKNOWN_ESCAPE =
  'JSON does not know this escape. It knows \\" \\\\ \\/ \\b \\f \\n \\r \\t, and \\u with four hexadecimal digits.';

function hasOffset(error: unknown): error is Error & { readonly offset: number } {
  return error instanceof Error && 'offset' in error && typeof error.offset === 'number';
}
