import { LIMITS } from './limits.ts';
import { counted, type PolicyProblem } from './problems.ts';
import { positionAt, type Token, tokensOf } from './tokens.ts';

type Guarded =
  /** The same text with its comments blanked, so that everything else keeps its place. */
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: PolicyProblem };

/** Controls other than tabs and line ends, and halves of a surrogate pair. */
const UNFIT = /(?![\t\r\n])\p{Cc}|\p{Cs}/u;
/** What editors and web pages put in the place of a space. JSON knows none of them. */
const LIKE_A_SPACE = /[\s\u200b\u2060\ufeff]/;

/**
 * Refuses what would cost the parser more than it is worth: it recurses into every level and keeps an object for every
 * value, and it takes characters into strings that JSON forbids. It also recurses over comments, so it sees none.
 */
export function guardText(text: string): Guarded {
  const refuse = (at: number, detail: string): Guarded => ({ ok: false, problem: textProblem(text, at, detail) });
  if (text.length > LIMITS.characters) {
    return refuse(0, `The text is too long: ${counted(LIMITS.characters)} characters are the most that is read.`);
  }
  const unfit = text.search(UNFIT);
  if (unfit >= 0) return refuse(unfit, unfitWords(text, unfit));
  const kept: string[] = [];
  let [keptTo, depth, values] = [0, 0, 0];
  for (const token of tokensOf(text)) {
    const fault = faultOf(text, token);
    if (fault !== undefined) return refuse(fault.at, fault.detail);
    if (token.kind === '{' || token.kind === '[') depth++;
    if (token.kind === '}' || token.kind === ']') depth--;
    if (depth > LIMITS.depth) {
      return refuse(token.start, `This is nested more than ${LIMITS.depth} levels deep. No policy needs more than 5.`);
    }
    if ((token.kind === 'string' || token.kind === 'word') && ++values > LIMITS.values) {
      return refuse(
        token.start,
        `A policy can have ${counted(LIMITS.values)} names and values at most. Here they end.`,
      );
    }
    if (token.kind !== 'comment') continue;
    kept.push(text.slice(keptTo, token.start), blanked(text.slice(token.start, token.end)));
    keptTo = token.end;
  }
  return { ok: true, text: [...kept, text.slice(keptTo)].join('') };
}

function blanked(comment: string): string {
  return comment.replace(/[^\r\n]+/g, (line) => ' '.repeat(line.length));
}

/** A problem of the text as such, which has no value to point to. */
export function textProblem(text: string, at: number, detail: string): PolicyProblem {
  return { ...positionAt(text, at), pointer: '', detail };
}

function unfitWords(text: string, at: number): string {
  const code = codePoint(text, at);
  return text.charAt(at).isWellFormed()
    ? `The control character ${code} is here. Remove it.`
    : `Half of a character (${code}, a lone surrogate) is here. Remove it, or write the character whole.`;
}

function faultOf(text: string, { kind, start, end, open }: Token): { at: number; detail: string } | undefined {
  if (kind === 'comment' && open) return { at: start, detail: 'This comment does not end: "*/" is missing.' };
  if (kind === 'string') {
    const tab = text.slice(start, end).indexOf('\t');
    if (open)
      return { at: start, detail: 'This string does not end on its line: its closing double quote is missing.' };
    return tab < 0 ? undefined : { at: start + tab, detail: 'There is a tab in this string. Write \\t, or a space.' };
  }
  const strange = kind === 'word' ? text.slice(start, end).search(LIKE_A_SPACE) : -1;
  if (strange < 0) return undefined;
  const code = codePoint(text, start + strange);
  return { at: start + strange, detail: `This character (${code}) looks like a space and is none. Put a space here.` };
}

function codePoint(text: string, at: number): string {
  return `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
