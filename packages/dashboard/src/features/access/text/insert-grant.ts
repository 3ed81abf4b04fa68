/** Puts a grant, and the groups it needs, into a hand-written policy: its comments and its order stay as they are. */
import type { PolicyDocument } from '@meshwork/contract';
import { createScanner, findNodeAtLocation, type Node } from 'jsonc-parser';
import { treeOf } from './tree.ts';

export type Grant = NonNullable<PolicyDocument['grants']>[number];

export interface Insertion {
  readonly from: number;
  readonly insert: string;
}

interface NewGrant {
  readonly grant: Grant;
  /** Groups that are not there yet, with their selectors. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** In the order of the text, for one change. Undefined: the text is not in a state to be added to. */
export function insertGrant(text: string, { grant, groups }: NewGrant): readonly Insertion[] | undefined {
  const { root, errors } = treeOf(text);
  if (root === undefined)
    return text.trim() === '' ? [{ from: text.length, insert: wholePolicy(grant, groups) }] : undefined;
  // Behind an error, the tree may hold an entry where it does not belong.
  if (root.type !== 'object' || errors.length > 0) return undefined;
  const insertions: Insertion[] = [];
  const groupLines = Object.entries(groups).map(
    ([name, selectors]) => `${JSON.stringify(name)}: ${oneLine(selectors)}`,
  );
  if (groupLines.length > 0) {
    const held = findNodeAtLocation(root, ['groups']);
    if (held === undefined) insertions.push(...addTo(text, root, [`"groups": ${block('{', groupLines, '}')}`]));
    else if (held.type === 'object') insertions.push(...addTo(text, held, groupLines));
    else return undefined;
  }
  const held = findNodeAtLocation(root, ['grants']);
  if (held === undefined)
    insertions.push(...addTo(text, root, [`"grants": ${block('[', [oneLine(grant)], ']')}`], insertions));
  else if (held.type === 'array') insertions.push(...addTo(text, held, [oneLine(grant)]));
  else return undefined;
  return insertions.sort((a, b) => a.from - b.from);
}

/** Behind the last entry, on lines of their own where the others have theirs. */
function addTo(
  text: string,
  list: Node,
  entries: readonly string[],
  earlier: readonly Insertion[] = [],
): readonly Insertion[] {
  const close = list.offset + list.length - 1;
  const last = endOfLastToken(text, list.offset + 1, close);
  const outer = indentAt(text, list.offset);
  const needsComma = last !== undefined && text.charAt(last - 1) !== ',';
  const comma = needsComma && !earlier.some(({ from }) => from === last) ? [{ from: last, insert: ',' }] : [];
  const isOnOneLine = !text.slice(list.offset, close).includes('\n');
  if (isOnOneLine && last !== undefined && list.type === 'array') {
    return [...comma, { from: last, insert: entries.map((entry) => ` ${entry}`).join(',') }];
  }
  const first = list.children?.[0];
  const inner = first === undefined || isOnOneLine ? `${outer}  ` : indentAt(text, first.offset);
  const lines = entries.map((entry) => `${inner}${entry.replaceAll('\n', `\n${inner}`)},`).join('\n');
  if (isOnOneLine) return [...comma, { from: close, insert: `\n${lines}\n${outer}` }];
  // On the line above the bracket that closes, so that a comment behind the last entry stays behind it.
  const lineStart = text.lastIndexOf('\n', close - 1) + 1;
  const isAlone = text.slice(lineStart, close).trim() === '';
  return [
    ...comma,
    isAlone ? { from: lineStart, insert: `${lines}\n` } : { from: close, insert: `\n${lines}\n${outer}` },
  ];
}

/** Of what stands between two brackets. Undefined: nothing but space and comments. */
function endOfLastToken(text: string, from: number, close: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  let end: number | undefined;
  for (scanner.scan(); scanner.getTokenOffset() < close; scanner.scan()) end = scanner.getPosition();
  return end;
}

function indentAt(text: string, position: number): string {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
}

function block(open: string, lines: readonly string[], close: string): string {
  return `${open}\n${lines.map((line) => `  ${line},`).join('\n')}\n${close}`;
}

function wholePolicy(grant: Grant, groups: NewGrant['groups']): string {
  const groupLines = Object.entries(groups).map(
    ([name, selectors]) => `${JSON.stringify(name)}: ${oneLine(selectors)}`,
  );
  const parts = [`"groups": ${block('{', groupLines, '}')}`, `"grants": ${block('[', [oneLine(grant)], ']')}`];
  return `{\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},`).join('\n')}\n}\n`;
}

/** As people write it, with a space where a space is good to read. */
export function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{ ${members.map(([name, one]) => `${JSON.stringify(name)}: ${oneLine(one)}`).join(', ')} }`;
}
