/** Puts a grant, and the groups it needs, into a hand-written policy: its comments and its order stay as they are. */
import type { PolicyDocument } from '@meshwork/contract';
import { type ArrayPiece, memberOf, type ObjectPiece, outlineOf } from './outline.ts';

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
  const root = outlineOf(text);
  if (root === undefined)
    return text.trim() === '' ? [{ from: text.length, insert: wholePolicy(grant, groups) }] : undefined;
  if (root.kind !== 'object' || !root.is_closed) return undefined;
  const insertions: Insertion[] = [];
  const groupLines = Object.entries(groups).map(
    ([name, selectors]) => `${JSON.stringify(name)}: ${oneLine(selectors)}`,
  );
  if (groupLines.length > 0) {
    const held = memberOf(root, 'groups');
    if (held === undefined) insertions.push(...addTo(text, root, [`"groups": ${block('{', groupLines, '}')}`]));
    else if (held.kind === 'object' && held.is_closed) insertions.push(...addTo(text, held, groupLines));
    else return undefined;
  }
  const held = memberOf(root, 'grants');
  if (held === undefined)
    insertions.push(...addTo(text, root, [`"grants": ${block('[', [oneLine(grant)], ']')}`], insertions));
  else if (held.kind === 'array' && held.is_closed) insertions.push(...addTo(text, held, [oneLine(grant)]));
  else return undefined;
  return insertions.sort((a, b) => a.from - b.from);
}

/** Behind the last entry, on lines of their own where the others have theirs. */
function addTo(
  text: string,
  list: ObjectPiece | ArrayPiece,
  entries: readonly string[],
  earlier: readonly Insertion[] = [],
): readonly Insertion[] {
  const close = list.end - 1;
  const ends = list.kind === 'array' ? list.items : list.members.map(({ key, value }) => value ?? key);
  const [first, last] = [ends[0], ends.at(-1)];
  const outer = indentAt(text, list.start);
  const needsComma = last !== undefined && !list.ends_with_comma;
  const comma = needsComma && !earlier.some(({ from }) => from === last.end) ? [{ from: last.end, insert: ',' }] : [];
  const isOnOneLine = !text.slice(list.start, close).includes('\n');
  if (isOnOneLine && last !== undefined && list.kind === 'array') {
    return [...comma, { from: afterLast(text, last.end, list), insert: entries.map((entry) => ` ${entry}`).join(',') }];
  }
  const inner = first === undefined || isOnOneLine ? `${outer}  ` : indentAt(text, first.start);
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

/** Behind the comma that the last entry has already, or right behind it. */
function afterLast(text: string, end: number, { ends_with_comma }: ArrayPiece | ObjectPiece): number {
  return ends_with_comma ? text.indexOf(',', end) + 1 : end;
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
