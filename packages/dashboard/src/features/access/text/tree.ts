/** The syntax tree of a policy that may be unfinished. The coordinator decides what is valid; this is for finding places. */
import { createScanner, findNodeAtLocation, type JSONPath, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Deeper than any policy goes. */
const DEEPEST = 32;

interface Tree {
  /** Undefined: there is no value, only space and comments. */
  readonly root: Node | undefined;
  readonly errors: readonly ParseError[];
}

export function treeOf(text: string): Tree {
  const errors: ParseError[] = [];
  return { root: parseTree(shallowPart(text), errors, { allowTrailingComma: true }), errors };
}

export function nodeAt(text: string, path: JSONPath): Node | undefined {
  const { root } = treeOf(text);
  return root === undefined ? undefined : findNodeAtLocation(root, path);
}

/** The text up to where it is nested too deep: the parser recurses into every level and would overflow the stack. */
export function shallowPart(text: string): string {
  const scanner = createScanner(text, true);
  const closers: string[] = [];
  for (;;) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    if (start === text.length) return text;
    const token = text.charAt(start);
    // The parser skips a bracket that does not match, so only one that does ends a level.
    if (token === closers.at(-1)) closers.pop();
    else if (token === '{' || token === '[') closers.push(token === '{' ? '}' : ']');
    if (closers.length > DEEPEST) return text.slice(0, start);
  }
}
