import type { HttpOperation } from '@meshwork/contract';
import type { CommandWords, ParameterWords } from '../words/command-words.ts';
import { hasMembers, type Schema, withoutNull } from '../words/schema.ts';
import { singular } from './operations.ts';

export interface Parameter {
  readonly place: 'params' | 'query' | 'body';
  /** Where it stands there: `['scope', 'team']`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly nullable: boolean;
  readonly required: boolean;
  /** The optional object that it is a needed part of: all of its parts are given, or none. */
  readonly part_of: string | undefined;
  /** The object around it, where that may be null and it is the first part: what takes it away takes away all. */
  readonly whole: readonly string[] | undefined;
  /** Name of the flag or of the argument. */
  readonly name: string;
  readonly argument: boolean;
  readonly words: ParameterWords;
}

/** What `--limit` and `--all` of every list are for. */
const HANDLED = ['cursor', 'limit'];
/** Names that are good for a program, and short for one. */
const NAMES: Readonly<Record<string, string>> = { q: 'query' };

/** Everything that an operation takes, as flags and arguments: arguments first, in their order. */
export function parametersOf(operation: HttpOperation, noun: string, words: CommandWords): Parameter[] {
  const { only, without = [], fixed = {} } = words;
  const left_out = new Set([...(isPaged(operation) ? HANDLED : []), ...without, ...Object.keys(fixed)]);
  const all = [
    ...membersOf('params', operation.params as Schema | undefined, words),
    ...membersOf('query', operation.query as Schema | undefined, words),
    ...(operation.text === undefined ? membersOf('body', operation.body as Schema | undefined, words) : []),
  ].filter(({ place, path: [member = ''] }) => {
    return !left_out.has(member) && (place === 'params' || only === undefined || only.includes(member));
  });
  const order = words.arguments ?? defaultArguments(operation, all);
  const named = all.map((member) => withWords(member, noun, { order, words }));
  const place = ({ path }: Parameter) => order.indexOf(path.join('.'));
  return [
    ...named.filter(({ argument }) => argument).toSorted((a, b) => place(a) - place(b)),
    ...named.filter(({ argument }) => !argument),
  ];
}

export function isPaged({ query }: HttpOperation): boolean {
  return (query as Schema | undefined)?.properties?.cursor !== undefined;
}

/** Those of the path, in its order; what is created is called by its name first. */
function defaultArguments({ method, path }: HttpOperation, members: readonly Member[]): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (method !== 'POST' || inPath.length > 0) return inPath;
  return members.filter(({ path: [name], required }) => name === 'name' && required).map(() => 'name');
}

type Member = Pick<Parameter, 'place' | 'path' | 'schema' | 'nullable' | 'required' | 'part_of' | 'whole'>;

function membersOf(place: Parameter['place'], schema: Schema | undefined, words: CommandWords): Member[] {
  const top = { path: [], nullable: false, required: true, part_of: undefined, whole: undefined };
  return inside({ ...top, place, schema: schema ?? {} }, words);
}

/** The members of an object, each with its own members where those have flags of their own. */
function inside({ place, path, schema, nullable, required }: Member, words: CommandWords): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given], index) => {
    const needed = schema.required?.includes(name) ?? false;
    const part_of = !required && needed ? path.join('.') : undefined;
    const whole = nullable && index === 0 ? path : undefined;
    const member = {
      place,
      path: [...path, name],
      required: required && needed,
      part_of,
      whole,
      ...withoutNull(given),
    };
    return isSpread(member, words) ? inside(member, words) : [member];
  });
}

/**
 * Whether the members of an object have flags of their own. What has none is given as JSON, unless the words read it. An object
 * in an object is, too, unless the words spread what is around it: its flags would have long names.
 */
function isSpread({ path, schema }: Member, { parameters }: CommandWords): boolean {
  const { read, spread } = parameters?.[path.join('.')] ?? {};
  if (!hasMembers(schema) || read !== undefined) return false;
  const isFlat = !Object.values(schema.properties).some((part) => hasMembers(withoutNull(part).schema));
  return (
    spread === true || (isFlat && (path.length === 1 || parameters?.[path.slice(0, -1).join('.')]?.spread === true))
  );
}

function withWords(
  member: Member,
  noun: string,
  { order, words }: { readonly order: readonly string[]; readonly words: CommandWords },
): Parameter {
  const key = member.path.join('.');
  const own = words.parameters?.[key] ?? {};
  const argument = order.includes(key);
  const name = own.flag ?? defaultName(member, noun, argument);
  return { ...member, required: member.required || own.needed === true, name, argument, words: own };
}

function defaultName({ place, path, schema }: Member, noun: string, argument: boolean): string {
  const [first = ''] = path;
  if (place === 'params' && (first === 'id' || first === 'name')) return noun;
  const last = path.at(-1) ?? first;
  const plain = last.replace(/_s$/, '').replaceAll('_', '-');
  // A list is given one by one, unless it is an argument, which names all of them at once.
  const word = schema.type === 'array' && !argument ? singular(plain) : (NAMES[plain] ?? plain);
  // The boundary is part of nearly everything, and known by its parts.
  if (path.length === 1 || isBoundary(path)) return word;
  return [...path.slice(0, -1).map((part) => part.replaceAll('_', '-')), word].join('.');
}

function isBoundary([first]: readonly string[]): boolean {
  return first === 'scope';
}
