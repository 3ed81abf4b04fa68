/** The pieces of an unfinished text: JSON with comments, whole or not. Nothing here ever refuses. */
export interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'word' | 'comment';
  readonly start: number;
  readonly end: number;
}

// A string ends on its line even without its quote: else one forgotten quote would swallow the rest.
const PIECE =
  /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[^\r\n]|[^"\\\r\n])*(?:"|\\?(?=[\r\n]|$))|[{}[\],:]|[^\s{}[\],:"]+/g;

export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: piece, index: start } of text.matchAll(PIECE)) {
    yield { kind: kindOf(piece), start, end: start + piece.length };
  }
}

function kindOf(piece: string): Token['kind'] {
  if (piece.startsWith('"')) return 'string';
  if (piece.startsWith('//') || piece.startsWith('/*')) return 'comment';
  return piece.length === 1 && '{}[],:'.includes(piece) ? (piece as Token['kind']) : 'word';
}
