import type { HttpOperation } from '@meshwork/contract';
import { listed } from '../wording.ts';
import type { CommandWords, DerivedRequest } from '../words/command-words.ts';
import type { Schema } from '../words/schema.ts';
import { offOf, usage } from './flags.ts';
import type { Parameter } from './parameters.ts';

/** The request that a command line asks for. */
export function requestOf(
  operation: HttpOperation,
  given: ReadonlyMap<Parameter, unknown>,
  { parameters, words }: { readonly parameters: readonly Parameter[]; readonly words: CommandWords },
): DerivedRequest {
  const whole = wholeObjects(given, parameters);
  ensureChange(operation, given, parameters);
  const params: Record<string, string> = {};
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = operation.body === undefined ? {} : { ...words.fixed };
  for (const [{ place, path: own, whole: around }, value] of whole) {
    const path = value === null && around !== undefined ? around : own;
    const [first = ''] = path;
    if (place === 'params') params[first] = String(value);
    else if (place === 'query') query[first] = value;
    else put(body, path, value);
  }
  if (operation.body !== undefined) return { params, query, body: operation.text === undefined ? body : '' };
  return { params, query: { ...query, ...words.fixed }, body: undefined };
}

/** Makes the objects on the way. */
function put(body: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const inner = { ...(body[first] as Record<string, unknown> | undefined) };
  put(inner, rest, value);
  body[first] = inner;
}

/**
 * An optional object is given whole: half of it is more often a slip than meant. Parts that the words can fill in may be left
 * out, and nothing of an object that is taken away is given.
 */
function wholeObjects(
  given: ReadonlyMap<Parameter, unknown>,
  parameters: readonly Parameter[],
): ReadonlyMap<Parameter, unknown> {
  const all = new Map(given);
  const objects = Map.groupBy(
    parameters.filter(({ part_of }) => part_of !== undefined),
    ({ part_of }) => part_of,
  );
  for (const parts of objects.values()) {
    const named = parts.filter((part) => given.has(part));
    const [off] = named.filter((part) => part.whole !== undefined && given.get(part) === null);
    const [other] = named.filter((part) => part !== off);
    if (off !== undefined && other !== undefined) {
      throw usage(`--${offOf(off)} and --${other.name} exclude each other`);
    }
    if (off === undefined && other !== undefined) fillIn(all, parts);
  }
  return all;
}

function fillIn(all: Map<Parameter, unknown>, parts: readonly Parameter[]): void {
  const named = parts.filter((part) => all.has(part));
  const missing = parts.filter((part) => !all.has(part));
  const lacking = missing.filter(({ words }) => words.otherwise === undefined);
  if (lacking.length > 0) {
    const flags = parts.filter((part) => named.includes(part) || lacking.includes(part)).map(({ name }) => `--${name}`);
    const note = parts[0]?.path[0] === 'scope' ? '; "*" is for all' : '';
    throw usage(`${listed(flags)} belong together${note}`);
  }
  const values = Object.fromEntries(named.map((part) => [part.path.at(-1) ?? '', all.get(part)]));
  for (const part of missing) all.set(part, part.words.otherwise?.(values));
}

/** A change that changes nothing is a slip too. What is not part of the record, such as `force`, is no change. */
function ensureChange(
  { method, answer }: HttpOperation,
  given: ReadonlyMap<Parameter, unknown>,
  parameters: readonly Parameter[],
): void {
  const record = (answer.schema as Schema | undefined)?.properties ?? {};
  const changes = parameters.filter(({ place, path: [member = ''] }) => place === 'body' && member in record);
  if (method !== 'PATCH' || changes.length === 0 || changes.some((one) => given.has(one))) return;
  throw usage(`say what to change, such as --${changes[0]?.name}`);
}
