/**
 * The only place that puts values into the syntax of nginx. A configuration is a tree of directives whose words are plain
 * strings, and become text here and nowhere else: no value can end its word, its directive or its block.
 *
 * nginx has no way to write a `$` that is not the beginning of a variable. So a word with one is refused, unless it was written
 * down in this program (`withVariables`), or is the value of a variable of its own (`constant`).
 */

/** Text of this program in which nginx puts the values of variables. Never made of values from elsewhere. */
export interface Expression {
  readonly expression: string;
}

/** Text from elsewhere, for a place where nginx takes no variables. */
interface Verbatim {
  readonly verbatim: string;
}

export type Word = string | number | Expression | Verbatim;

export interface Directive {
  readonly name: string;
  readonly words: readonly Word[];
  readonly block?: readonly Directive[];
  /** Code of this program, for directives whose block is one of Lua. */
  readonly lua?: string;
}

export function directive(name: string, ...words: readonly Word[]): Directive {
  return { name, words };
}

export function block(name: string, words: readonly Word[], inside: readonly Directive[]): Directive {
  return { name, words, block: inside };
}

/** `code` has no brace that is not closed in it, and no value. */
export function luaBlock(name: string, code: string): Directive {
  return { name, words: [], lua: code };
}

/** Literals only: a value in it is refused by its type. */
export function withVariables<const T extends string>(expression: string extends T ? never : T): Expression {
  return { expression };
}

/**
 * A variable that always has this text as its value, also one with `$` in it: `geo` takes no variables. `digest` names the text, in
 * hexadecimal digits.
 */
export function constant(digest: string, text: string): { readonly definition: Directive; readonly value: Expression } {
  if (!/^[0-9a-f]+$/.test(digest)) throw new Error(`${JSON.stringify(digest)} does not name a text`);
  const name = `$${CONSTANT}${digest}`;
  return {
    definition: block('geo', [{ expression: name }], [directive('default', { verbatim: text })]),
    value: { expression: `\${${CONSTANT}${digest}}` },
  };
}

const CONSTANT = 'mesh_text_';

/** Values between expressions of this program, such as a port within an address. Values are checked like any word. */
export function joined(...parts: readonly (string | number | Expression)[]): Expression {
  return { expression: parts.map((part) => (typeof part === 'object' ? part.expression : literal(part))).join('') };
}

/** A key of a `map` that is a pattern. It takes no variables. */
export function patternKey(pattern: string): string {
  return quoted(`~${readable(pattern, UNREADABLE)}`);
}

export function nginxText(directives: readonly Directive[]): string {
  return directives.map((one) => textOf(one, '')).join('');
}

const INDENT = '    ';

function textOf({ name, words, block: inside, lua }: Directive, indent: string): string {
  const head = `${indent}${[name, ...words.map(wordText)].join(' ')}`;
  if (lua !== undefined) return `${head} { ${lua} }\n`;
  if (inside === undefined) return `${head};\n`;
  return `${head} {\n${inside.map((one) => textOf(one, `${indent}${INDENT}`)).join('')}${indent}}\n`;
}

/** Words of these characters mean themselves. All others are put in quotes. */
const BARE = /^[A-Za-z0-9_.:/=@^~*+()[\]$-]+$/;

function wordText(word: Word): string {
  if (typeof word === 'object' && 'verbatim' in word) return quoted(readable(word.verbatim, UNREADABLE));
  const text = typeof word === 'object' ? word.expression : literal(word);
  return BARE.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** As it stands, without any variable in it. */
function literal(word: string | number): string {
  return readable(String(word), /[^\x20-\x7e]|\$/);
}

const UNREADABLE = /[^\x20-\x7e]/;

function readable(text: string, refused: RegExp): string {
  const [strange] = refused.exec(text) ?? [];
  if (strange === undefined) return text;
  throw new Error(`${JSON.stringify(text)} cannot be written for nginx: it has ${JSON.stringify(strange)} in it`);
}
