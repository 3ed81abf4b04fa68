/** The pieces of a text of JSON with comments, as far as they can be recognised without knowing what belongs where. */
export interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'word' | 'comment';
  readonly start: number;
  readonly end: number;
  /** A string or a comment that nothing ends. */
  readonly open?: true;
}

const PUNCTUATION = '{}[]:,';
const SPACE = ' \t\r\n';

/** In linear time and without recursion, whatever the text. */
export function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    if (SPACE.includes(text.charAt(at))) {
      at++;
      continue;
    }
    const token = tokenAt(text, at);
    yield token;
    at = token.end;
  }
}

function tokenAt(text: string, start: number): Token {
  const first = text.charAt(start);
  if (isPunctuation(first)) return { kind: first, start, end: start + 1 };
  if (first === '"') return stringAt(text, start);
  if (text.startsWith('//', start)) return { kind: 'comment', start, end: endOfLine(text, start) };
  if (text.startsWith('/*', start)) return blockAt(text, start);
  let end = start + 1;
  while (end < text.length && !endsWord(text, end)) end++;
  return { kind: 'word', start, end };
}

function isPunctuation(character: string): character is '{' | '}' | '[' | ']' | ':' | ',' {
  return character !== '' && PUNCTUATION.includes(character);
}

function endsWord(text: string, at: number): boolean {
  const character = text.charAt(at);
  if (character === '/') return text.startsWith('//', at) || text.startsWith('/*', at);
  return character === '"' || PUNCTUATION.includes(character) || SPACE.includes(character);
}

/** A string ends on its line: a forgotten quote is found where it is missing and not at the next one. */
function stringAt(text: string, start: number): Token {
  for (let end = start + 1; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === '"') return { kind: 'string', start, end: end + 1 };
    if (character === '\n' || character === '\r') return { kind: 'string', start, end, open: true };
    if (character === '\\' && !'\r\n'.includes(text.charAt(end + 1))) end++;
  }
  return { kind: 'string', start, end: text.length, open: true };
}

function blockAt(text: string, start: number): Token {
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? { kind: 'comment', start, end: text.length, open: true } : { kind: 'comment', start, end: end + 2 };
}

function endOfLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charAt(end) !== '\n' && text.charAt(end) !== '\r') end++;
  return end;
}

/** From 1, as editors count. */
export function positionAt(text: string, at: number): { readonly line: number; readonly column: number } {
  let [line, lineStart] = [1, 0];
  for (let index = 0; index < at; index++) {
    const character = text.charAt(index);
    const ends = character === '\n' || (character === '\r' && text.charAt(index + 1) !== '\n');
    if (ends) [line, lineStart] = [line + 1, index + 1];
  }
  return { line, column: at - lineStart + 1 };
}
