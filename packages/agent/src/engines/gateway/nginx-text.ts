/**
 * The only place that puts values into the syntax of nginx. A configuration is a tree of directives whose words are plain
 * strings, and become text here and nowhere else: no value can end its word, its directive or its block.
 *
 * nginx has no way to write a `$` that is not the beginning of a variable. So a word with one is refused, unless it was written
 * down in this program (`withVariables`).
 */

/** Text of this program in which nginx puts the values of variables. Never made of values from elsewhere. */
interface Expression {
  readonly expression: string;
}

type Word = string | number | Expression;

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

/** Values between expressions of this program, such as a port within an address. Values are checked like any word. */
export function joined(...parts: readonly Word[]): Expression {
  return { expression: parts.map((part) => (typeof part === 'object' ? part.expression : literal(part))).join('') };
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
  const text = typeof word === 'object' ? word.expression : literal(word);
  return BARE.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** As it stands, without any variable in it. */
function literal(word: string | number): string {
  const text = String(word);
  const [strange] = /[^\x20-\x7e]|\$/.exec(text) ?? [];
  if (strange === undefined) return text;
  throw new Error(`${JSON.stringify(text)} cannot be written for nginx: it has ${JSON.stringify(strange)} in it`);
}
