import type { Location, ValueNode } from '@humanwhocodes/momoa';
import { nearest } from './nearest.ts';
import { counted, oneOf, type Place, type Problems, quote } from './problems.ts';

/** A value of the document and where it stands. */
export interface Value extends Place {
  readonly node: ValueNode;
}

/** A member of an object. As a place it is its name. */
export interface Member extends Place {
  readonly name: string;
  readonly value: Value;
}

/** Longer names do not go into pointers: a pointer of a megabyte is useless. */
const LONGEST_IN_POINTER = 256;
/** Notes may have lines and tabs. */
const UNFIT = /(?![\t\r\n])\p{Cc}|\p{Cs}/u;

export function valueAt(node: ValueNode, pointer: string): Value {
  return { node, pointer, start: node.loc.start };
}

/** Undefined, with a problem reported, unless it is an object. `expected` is how the problem begins: `"groups" is an object`. */
export function readObject(value: Value, expected: string, problems: Problems): readonly Member[] | undefined {
  const { node, pointer } = value;
  if (node.type !== 'Object') return mistaken(value, expected, problems);
  const seen = new Map<string, Location>();
  const members: Member[] = [];
  for (const { name: key, value: child } of node.members) {
    const name = key.type === 'String' ? key.value : key.name;
    const inner = name.length > LONGEST_IN_POINTER ? pointer : `${pointer}/${escaped(name)}`;
    const earlier = seen.get(name);
    if (earlier === undefined) {
      seen.set(name, key.loc.start);
      members.push({ name, start: key.loc.start, pointer: inner, value: valueAt(child, inner) });
    } else {
      const words = () => `${quote(name)} is here a second time; the first is in line ${earlier.line}. Keep one.`;
      problems.report({ start: key.loc.start, pointer: inner }, words);
    }
  }
  return members;
}

/** Members by name. An unknown one is reported; `thing` is what has them: `A grant`. */
export function readKnown<Name extends string>(
  value: Value,
  { thing, expected, known }: { readonly thing: string; readonly expected: string; readonly known: readonly Name[] },
  problems: Problems,
): ReadonlyMap<Name, Value> | undefined {
  const members = readObject(value, expected, problems);
  if (members === undefined) return undefined;
  const found = new Map<Name, Value>();
  for (const member of members) {
    const name = known.find((candidate) => candidate === member.name);
    if (name !== undefined) found.set(name, member.value);
    else problems.report(member, () => `${thing} has no ${quote(member.name)}. ${hint(member.name, known)}`);
  }
  return found;
}

/** The known name that was probably meant, or all of them. */
function hint(name: string, known: readonly string[]): string {
  const near = nearest(name.toLowerCase(), known);
  return near === undefined ? `It can have ${oneOf(known, 'and')}.` : `Did you mean ${quote(near)}?`;
}

/** Undefined, with a problem reported, unless it is a list. What is over the limit is reported and left out. */
export function readList(
  value: Value,
  { expected, most, things }: { readonly expected: string; readonly most: number; readonly things: string },
  problems: Problems,
): readonly Value[] | undefined {
  const { node, pointer } = value;
  if (node.type !== 'Array') return mistaken(value, expected, problems);
  const elements = node.elements.map((element, index) => valueAt(element.value, `${pointer}/${index}`));
  return upTo(elements, { most, things }, problems);
}

/** Those within the limit; the first beyond it is reported. */
export function upTo<Some extends Place>(
  places: readonly Some[],
  { most, things }: { readonly most: number; readonly things: string },
  problems: Problems,
): readonly Some[] {
  const over = places[most];
  if (over === undefined) return places;
  problems.report(over, () => `There are ${counted(places.length)} ${things}; ${counted(most)} are the most.`);
  return places.slice(0, most);
}

/** Undefined, with a problem reported, unless it is a string of whole, visible characters. */
export function readText(value: Value, expected: string, problems: Problems): string | undefined {
  const { node } = value;
  if (node.type !== 'String') return mistaken(value, expected, problems);
  if (!UNFIT.test(node.value)) return node.value;
  problems.report(value, () => `${quote(node.value)} has a control character or half of a character in it. Remove it.`);
  return undefined;
}

/** Reports that a value is of the wrong kind. */
export function mistaken(value: Value, expected: string, problems: Problems): undefined {
  problems.report(value, () => `${expected}; this is ${kindOf(value.node)}.`);
}

function kindOf(node: ValueNode): string {
  switch (node.type) {
    case 'Array':
      return 'a list';
    case 'Boolean':
      return String(node.value);
    case 'Null':
      return 'null';
    case 'Object':
      return 'an object';
    case 'String':
      return 'a string';
    // The last two are of another dialect of JSON, and do not come.
    case 'Number':
    case 'NaN':
    case 'Infinity':
      return 'a number';
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
