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

type Member = Pick<Parameter, 'place' | 'path' | 'schema' | 'nullable' | 'required' | 'part_of'>;

function membersOf(place: Parameter['place'], schema: Schema | undefined, { parameters }: CommandWords): Member[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
    const required = schema?.required?.includes(name) ?? false;
    const plain = withoutNull(member);
    const whole = parameters?.[name]?.read !== undefined;
    if (whole || !isSpread(plain.schema)) return [{ place, path: [name], required, part_of: undefined, ...plain }];
    return Object.entries(plain.schema.properties).map(([inner, part]) => {
      const needed = plain.schema.required?.includes(inner) ?? false;
      const part_of = !required && needed ? name : undefined;
      return { place, path: [name, inner], required: required && needed, part_of, ...withoutNull(part) };
    });
  });
}

/** An object whose members have flags of their own. What has none of its own is given as JSON. */
function isSpread(schema: Schema): schema is Schema & Required<Pick<Schema, 'properties'>> {
  return hasMembers(schema) && !Object.values(schema.properties).some((part) => hasMembers(withoutNull(part).schema));
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
  const [first = '', ...rest] = path;
  if (place === 'params' && (first === 'id' || first === 'name')) return noun;
  const last = rest.at(-1) ?? first;
  const plain = last.replace(/_s$/, '').replaceAll('_', '-');
  // A list is given one by one, unless it is an argument, which names all of them at once.
  const word = schema.type === 'array' && !argument ? singular(plain) : (NAMES[plain] ?? plain);
  // The boundary is part of nearly everything, and known by its parts.
  if (rest.length === 0 || isBoundary(path)) return word;
  return `${first.replaceAll('_', '-')}.${word}`;
}

function isBoundary([first]: readonly string[]): boolean {
  return first === 'scope';
}
