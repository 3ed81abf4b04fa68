import { quote } from './problems.ts';
import { positionAt, type Token, tokensOf } from './tokens.ts';

interface Misplaced {
  /** Offset into the text. */
  readonly at: number;
  readonly detail: string;
}

/** What may come next. `name` and `element` may also be the end of what they belong to, as after a trailing comma. */
type Expected = 'value' | 'element' | 'name' | 'colon' | 'comma' | 'nothing';

const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const QUOTES = /^['`´‘’“”„«»]/;

/** The first piece of a text without comments that stands where it cannot, in words. Undefined: each is in its place. */
export function findSyntaxError(text: string): Misplaced | undefined {
  const opened: Token[] = [];
  let expected: Expected = 'value';
  for (const token of tokensOf(text)) {
    const next = step(text, { token, expected, opened });
    if (next === undefined) return { at: token.start, detail: words(text, { token, expected, opened }) };
    expected = next;
  }
  const inner = opened.at(-1);
  return inner === undefined
    ? undefined
    : { at: text.length, detail: `The text ends too early: ${unclosed(text, inner)}.` };
}

interface Spot {
  readonly token: Token;
  readonly expected: Expected;
  /** The brackets around it. */
  readonly opened: Token[];
}

/** What may come after the token. Undefined: the token itself cannot stand here. */
function step(text: string, { token, expected, opened }: Spot): Expected | undefined {
  const inner = opened.at(-1)?.kind;
  const closes = (token.kind === '}' && inner === '{') || (token.kind === ']' && inner === '[');
  if (closes && expected !== 'colon' && expected !== 'value') {
    opened.pop();
    return opened.length === 0 ? 'nothing' : 'comma';
  }
  if (expected === 'name') return token.kind === 'string' ? 'colon' : undefined;
  if (expected === 'colon') return token.kind === ':' ? 'value' : undefined;
  if (expected === 'comma') return token.kind === ',' ? afterComma(inner) : undefined;
  if (expected === 'nothing') return undefined;
  if (token.kind === '{' || token.kind === '[') {
    opened.push(token);
    return token.kind === '{' ? 'name' : 'element';
  }
  const literal =
    token.kind === 'string' || (token.kind === 'word' && LITERAL.test(text.slice(token.start, token.end)));
  if (!literal) return undefined;
  return inner === undefined ? 'nothing' : 'comma';
}

function afterComma(inner: Token['kind'] | undefined): Expected {
  return inner === '{' ? 'name' : 'element';
}

function words(text: string, { token, expected, opened }: Spot): string {
  const found = text.slice(token.start, Math.min(token.end, token.start + 100));
  if (expected === 'nothing') return `The policy ends before this: ${quote(found)} is too much.`;
  if (token.kind === '}' || token.kind === ']') return closingWords(text, { token, expected, opened });
  if (token.kind === 'word' && QUOTES.test(found)) return 'Text and names need straight double quotes: "like this".';
  if (expected === 'colon') return 'A colon is missing before this, between the name of a member and its value.';
  if (expected === 'comma' && token.kind === ':') return 'This colon is too much: only the name of a member has one.';
  if (expected === 'comma') return 'A comma is missing before this.';
  if (token.kind === ',')
    return expected === 'value' ? 'A value is missing before this comma.' : 'This comma is too much.';
  if (token.kind === ':')
    return expected === 'name' ? 'A name is missing before this colon.' : 'This colon is too much.';
  if (expected === 'name' && token.kind === 'word') return `A name needs double quotes: ${quote(found)}.`;
  if (expected === 'name') return 'A name and a colon are missing before this.';
  return `${quote(found)} is no value. Text needs double quotes.`;
}

function closingWords(text: string, { token, expected, opened }: Spot): string {
  const inner = opened.at(-1);
  if (inner === undefined) return `${quote(token.kind)} closes nothing here. A policy begins with "{".`;
  const fits = (token.kind === '}') === (inner.kind === '{');
  if (!fits) return `${quote(token.kind)} cannot be here: ${unclosed(text, inner)}.`;
  return `${expected === 'colon' ? 'A colon and a value are' : 'A value is'} missing before this ${quote(token.kind)}.`;
}

function unclosed(text: string, opening: Token): string {
  const { line, column } = positionAt(text, opening.start);
  const [thing, end] = opening.kind === '{' ? ['object', '"}"'] : ['list', '"]"'];
  return `the ${thing} that begins at line ${line}, column ${column} is not closed with ${end}`;
}
