/**
 * Reads configurations as nginx does (`ngx_conf_file.c`), and knows nothing of what writes them: a word ends at a space, `;` or
 * `{`, unless it is in quotes, and a backslash takes the meaning from what follows it.
 */

export interface Parsed {
  readonly name: string;
  readonly words: readonly string[];
  readonly block?: readonly Parsed[];
  /** Code, as it stands between braces. */
  readonly lua?: string;
}

export function parseNginx(text: string): readonly Parsed[] {
  const reader = new Reader(text);
  const found = reader.directives();
  if (!reader.ended) throw new Error(`unexpected "}" at ${reader.at}`);
  return found;
}

const SPACE = /[ \t\r\n]/;
const ESCAPED: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n', '"': '"', "'": "'", '\\': '\\' };

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get ended(): boolean {
    return this.at >= this.#text.length;
  }

  directives(): readonly Parsed[] {
    const found: Parsed[] = [];
    for (;;) {
      this.#skip();
      if (this.ended || this.#text[this.at] === '}') return found;
      found.push(this.#directive());
    }
  }

  #directive(): Parsed {
    const words: string[] = [];
    for (;;) {
      this.#skip();
      const next = this.#text[this.at];
      if (next === undefined) throw new Error(`the file ends within "${words.join(' ')}"`);
      if (next === '}') throw new Error(`unexpected "}" at ${this.at}`);
      const [name = ''] = words;
      if (next === ';') {
        this.at += 1;
        return { name, words: words.slice(1) };
      }
      if (next === '{') {
        this.at += 1;
        if (name.endsWith('_by_lua_block')) return { name, words: words.slice(1), lua: this.#lua() };
        const block = this.directives();
        if (this.#text[this.at] !== '}') throw new Error(`"${name}" is not closed`);
        this.at += 1;
        return { name, words: words.slice(1), block };
      }
      words.push(this.#word());
    }
  }

  #skip(): void {
    for (; !this.ended; this.at += 1) {
      const next = this.#text[this.at] ?? '';
      if (next === '#') while (!this.ended && this.#text[this.at] !== '\n') this.at += 1;
      else if (!SPACE.test(next)) return;
    }
  }

  #word(): string {
    const quote = this.#text[this.at];
    return quote === '"' || quote === "'" ? this.#quoted(quote) : this.#bare();
  }

  #bare(): string {
    let word = '';
    while (!this.ended && !/[ \t\r\n;{]/.test(this.#text[this.at] ?? '')) word += this.#character();
    return word;
  }

  #quoted(quote: string): string {
    let word = '';
    this.at += 1;
    while (this.#text[this.at] !== quote) {
      if (this.ended) throw new Error('a quoted word does not end');
      word += this.#character();
    }
    this.at += 1;
    const next = this.#text[this.at] ?? '';
    if (!/[ \t\r\n;{)]/.test(next)) throw new Error(`unexpected ${JSON.stringify(next)} behind a quoted word`);
    return word;
  }

  #character(): string {
    const [first = '', second = ''] = this.#text.slice(this.at, this.at + 2);
    const meant = first === '\\' ? ESCAPED[second] : undefined;
    this.at += first === '\\' && second !== '' ? 2 : 1;
    return meant ?? (first === '\\' ? first + second : first);
  }

  #lua(): string {
    const from = this.at;
    for (let depth = 1; depth > 0; this.at += 1) {
      if (this.ended) throw new Error('code does not end');
      if (this.#text[this.at] === '{') depth += 1;
      if (this.#text[this.at] === '}') depth -= 1;
    }
    return this.#text.slice(from, this.at - 1).trim();
  }
}
