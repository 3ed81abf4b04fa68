/**
 * Regular expressions of operators, which run over what strangers send. Only a subset is taken: PCRE on gateways and JavaScript
 * here read it alike, and no request can make it run for long. What repeats has one length and no alternatives, so that there is
 * one way only to cut a text into repetitions; and unbounded repetitions are few.
 */

/** Ours. Each of them multiplies the ways to match a text by its length. */
const MOST_UNBOUNDED = 6;
/** Ours. Each `?` doubles the ways. */
const MOST_VARIABLE = 16;
/** Ours. */
const MOST_REPETITIONS = 1000;

/** Those that mean the same in both. Punctuation may be escaped as well. */
const ESCAPED_LETTERS = 'dDwWsSbBnrt';
const PUNCTUATION = '^$\\.*+?()[]{}|/-';

/** What stands in a pattern or in a group of it. */
interface Shape {
  /** Whether it has alternatives, or parts of more than one length. */
  readonly varies: boolean;
}

class PatternFault extends Error {}

/** Why a pattern is not taken. Undefined: it is. */
export function faultOfPattern(pattern: string): string | undefined {
  try {
    new PatternScan(pattern).whole();
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    if (error instanceof PatternFault) return error.message;
    if (error instanceof SyntaxError) return `is no regular expression: ${reasonIn(error, pattern)}`;
    throw error;
  }
}

/** `Invalid regular expression: /(/u: Unterminated group` */
function reasonIn({ message }: SyntaxError, pattern: string): string {
  return message.slice(message.lastIndexOf(': ') + 2) || `"${pattern}" does not compile`;
}

class PatternScan {
  readonly #pattern: string;
  #at = 0;
  #unbounded = 0;
  #variable = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): void {
    this.#alternatives();
    if (this.#at < this.#pattern.length) throw new PatternFault('has a ")" without its "("');
  }

  /** Up to the end, or to the parenthesis that closes the group. */
  #alternatives(): Shape {
    let varies = false;
    /** The part before, where it repeats without bound. */
    let repeated: string | undefined;
    while (this.#at < this.#pattern.length && this.#next !== ')') {
      if (this.#next === '|') {
        this.#at++;
        varies = true;
        repeated = undefined;
        continue;
      }
      const from = this.#at;
      const atom = this.#atom();
      const text = this.#pattern.slice(from, this.#at);
      const repeats = this.#quantifier(atom);
      if (repeats === 'unbounded' && repeated === text) {
        throw new PatternFault(`repeats "${text}" twice side by side without bound; once says the same`);
      }
      repeated = repeats === 'unbounded' ? text : undefined;
      varies ||= atom.varies || repeats !== 'fixed';
    }
    return { varies };
  }

  get #next(): string | undefined {
    return this.#pattern[this.#at];
  }

  #atom(): Shape {
    const letter = this.#pattern[this.#at++];
    if (letter === '(') return this.#group();
    if (letter === '[') this.#class();
    else if (letter === '\\') this.#escape();
    return { varies: false };
  }

  #group(): Shape {
    if (this.#next === '?') {
      if (!this.#pattern.startsWith('?:', this.#at)) {
        throw new PatternFault(
          `has "(${this.#pattern.slice(this.#at, this.#at + 2)}"; of groups only (…) and (?:…) are taken`,
        );
      }
      this.#at += 2;
    }
    const shape = this.#alternatives();
    if (this.#next !== ')') throw new PatternFault('has a "(" without its ")"');
    this.#at++;
    return shape;
  }

  #class(): void {
    if (this.#next === '^') this.#at++;
    if (this.#next === ']') throw new PatternFault('has an empty class; write "\\]" for the bracket itself');
    while (this.#next !== ']') {
      const letter = this.#pattern[this.#at++];
      if (letter === undefined) throw new PatternFault('has a "[" without its "]"');
      if (letter === '[') throw new PatternFault('has a "[" inside of a class; write "\\[" for the bracket itself');
      if (letter === '\\') this.#escape();
    }
    this.#at++;
  }

  #escape(): void {
    const letter = this.#pattern[this.#at++] ?? '';
    if (letter === 'x' && /^[0-9A-Fa-f]{2}/.test(this.#pattern.slice(this.#at))) {
      this.#at += 2;
      return;
    }
    if (letter !== '' && (ESCAPED_LETTERS.includes(letter) || PUNCTUATION.includes(letter))) return;
    throw new PatternFault(
      `has "\\${letter}", which is not taken; \\d \\w \\s \\b \\n \\r \\t \\xHH and escaped punctuation are`,
    );
  }

  #quantifier(atom: Shape): 'fixed' | 'variable' | 'unbounded' {
    const found = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/.exec(this.#pattern.slice(this.#at));
    if (found === null) return 'fixed';
    const [text, from = '', comma, to = ''] = found;
    this.#at += text.length;
    if (this.#next === '+') throw new PatternFault('has a possessive repetition, which is not taken');
    if (this.#next === '?') this.#at++;
    const isUnbounded = text === '*' || text === '+' || (comma !== undefined && to === '');
    const most = text === '?' ? 1 : Number(comma === undefined ? from : to);
    if (!isUnbounded && most > MOST_REPETITIONS) throw new PatternFault(`repeats more than ${MOST_REPETITIONS} times`);
    if ((isUnbounded || most > 1) && atom.varies) {
      throw new PatternFault(
        `repeats "${text}" a group with alternatives or with repetitions inside, which some texts make run for long`,
      );
    }
    if (isUnbounded && ++this.#unbounded > MOST_UNBOUNDED) {
      throw new PatternFault(`has more than ${MOST_UNBOUNDED} unbounded repetitions`);
    }
    const isVariable = isUnbounded || text === '?' || (comma !== undefined && from !== to);
    if (isVariable && ++this.#variable > MOST_VARIABLE) {
      throw new PatternFault(`has more than ${MOST_VARIABLE} repetitions of no fixed number`);
    }
    return isUnbounded ? 'unbounded' : isVariable ? 'variable' : 'fixed';
  }
}
