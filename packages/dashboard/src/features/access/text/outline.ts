/** What a text that is perhaps not finished says so far, and where. The coordinator reads it in earnest; this is for finding places. */
import { type Token, tokensOf } from './tokens.ts';

export type Piece = ObjectPiece | ArrayPiece | PlainPiece;

interface Extent {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}

export interface ObjectPiece extends Extent {
  readonly kind: 'object';
  readonly members: readonly Member[];
  readonly is_closed: boolean;
  /** A comma stands behind the last member. */
  readonly ends_with_comma: boolean;
}

export interface ArrayPiece extends Extent {
  readonly kind: 'array';
  readonly items: readonly Piece[];
  readonly is_closed: boolean;
  readonly ends_with_comma: boolean;
}

/** A string, a number, or whatever else stands where a value should. */
export interface PlainPiece extends Extent {
  readonly kind: 'string' | 'word';
  readonly text: string;
  /** A string whose closing quote is missing. */
  readonly is_open: boolean;
}

interface Member {
  readonly key: PlainPiece;
  /** Absent: not written yet. */
  readonly value?: Piece;
}

/** Deeper than any policy goes. What is deeper is not looked into. */
const DEEPEST = 32;

/** Undefined: there is nothing but space and comments. */
export function outlineOf(text: string): Piece | undefined {
  const tokens = [...tokensOf(text)].filter(({ kind }) => kind !== 'comment');
  return new Reader(text, tokens).value(0);
}

class Reader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  value(depth: number): Piece | undefined {
    const token = this.#tokens[this.#at];
    switch (token?.kind) {
      case 'string':
      case 'word':
        return this.#plain(token);
      case '{':
        return depth < DEEPEST ? this.#object(depth) : undefined;
      case '[':
        return depth < DEEPEST ? this.#array(depth) : undefined;
      default:
        return undefined;
    }
  }

  #plain(token: Token): PlainPiece {
    this.#at += 1;
    const written = this.#text.slice(token.start, token.end);
    const { start, end } = token;
    if (token.kind !== 'string') return { kind: 'word', start, end, text: written, is_open: false };
    return { kind: 'string', start, end, text: unquoted(written), is_open: !CLOSED.test(written) };
  }

  #array(depth: number): ArrayPiece {
    const items: Piece[] = [];
    const frame = this.#inside(']', () => {
      const item = this.value(depth + 1);
      if (item !== undefined) items.push(item);
      return item !== undefined;
    });
    return { kind: 'array', items, ...frame };
  }

  #object(depth: number): ObjectPiece {
    const members: Member[] = [];
    const frame = this.#inside('}', () => {
      const token = this.#tokens[this.#at];
      if (token?.kind !== 'string' && token?.kind !== 'word') return false;
      const key = this.#plain(token);
      if (this.#tokens[this.#at]?.kind === ':') this.#at += 1;
      const value = this.value(depth + 1);
      members.push(value === undefined ? { key } : { key, value });
      return true;
    });
    return { kind: 'object', members, ...frame };
  }

  /** What stands between two brackets. A bracket of the other kind ends it too: it belongs to whatever is around. */
  #inside(close: '}' | ']', readOne: () => boolean): Omit<ArrayPiece, 'kind' | 'items'> {
    const start = this.#tokens[this.#at]?.start ?? 0;
    this.#at += 1;
    let ends_with_comma = false;
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined) return { start, end: this.#text.length, is_closed: false, ends_with_comma };
      if (token.kind === close) {
        this.#at += 1;
        return { start, end: token.end, is_closed: true, ends_with_comma };
      }
      if (token.kind === '}' || token.kind === ']') {
        return { start, end: token.start, is_closed: false, ends_with_comma };
      }
      if (token.kind === ',') ends_with_comma = true;
      else if (readOne()) {
        ends_with_comma = false;
        continue;
      }
      this.#at += 1;
    }
  }
}

/** Ends with a quote that no backslash escapes. */
const CLOSED = /^"(?:\\.|[^"\\])*"$/;

function unquoted(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written.slice(1).replace(/"$/, ''); // not finished, or with an escape that JSON does not know
  }
}

export function memberOf(piece: Piece | undefined, name: string): Piece | undefined {
  return piece?.kind === 'object' ? piece.members.find(({ key }) => key.text === name)?.value : undefined;
}
