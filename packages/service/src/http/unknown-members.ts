/** As much of a JSON schema as says which members there are. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

interface Known {
  readonly value: unknown;
  /** Where the others were: `/report/mood`. */
  readonly dropped: readonly string[];
}

/** Ours: how many dropped members are named. Further ones are dropped unnamed. */
const NAMED = 50;

/** A copy with only the members that a schema names, at any depth. Their values are not checked. */
export function knownMembers(schema: object, given: unknown): Known {
  const dropped: string[] = [];
  const value = walk(schema as Shape, given, '', dropped);
  return { value, dropped };
}

function walk(schema: Shape, value: unknown, at: string, dropped: string[]): unknown {
  if (schema.anyOf !== undefined) return walk(branchOf(schema.anyOf, value), value, at, dropped);
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item, index) => walk(items, item, `${at}/${index}`, dropped));
  }
  if (typeof value !== 'object' || value === null || schema.type !== 'object') return value;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const known = memberOf(schema, name);
    if (known !== undefined) kept[name] = walk(known, member, pointer, dropped);
    else if (dropped.length < NAMED) dropped.push(pointer);
  }
  return kept;
}

function memberOf({ properties = {}, patternProperties = {} }: Shape, name: string): Shape | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern).test(name))?.[1];
}

/** The one that is meant, where a schema allows for several: with us always a value or null. */
function branchOf(branches: readonly Shape[], value: unknown): Shape {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return branches.find((branch) => branch.type === type) ?? {};
}
