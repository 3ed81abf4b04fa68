import { type FieldError, MeshError, type Operation, VISIBLE_NOTE, VISIBLE_TEXT } from '@meshwork/contract';
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { unexpectedBody } from './empty-body.ts';
import { knownMembers } from './unknown-members.ts';

/** Enough to mend a request in one go, few enough that a hostile one costs little. */
const MAX_ERRORS = 50;
Settings.Set({ maxErrors: MAX_ERRORS });
const NO_QUERY = Type.Object({}, { additionalProperties: false });
const TEXT = Type.String();

/**
 * Checks the two parts of a request that have a shape of their own, and throws `invalid` with every field that is
 * wrong. Path parameters have none: an odd id simply is not found.
 */
export interface Validation {
  query(given: unknown): unknown;
  /** `ignored` is called with the members that were dropped, where the operation drops unknown ones. */
  body(given: unknown, ignored?: (pointers: readonly string[]) => void): unknown;
}

export function validationOf(
  operation: Pick<Operation, 'method' | 'path' | 'query' | 'body' | 'text' | 'unknown_members'>,
): Validation {
  const query = operation.query ?? NO_QUERY;
  const properties: Readonly<Record<string, unknown>> = query.properties;
  const named = (type: string) => Object.keys(properties).filter((name) => typeOf(properties[name]) === type);
  const typed = { numbers: named('integer'), booleans: named('boolean') };
  const checkQuery = checker(query, 'query', Object.keys(properties));
  // The use case parses a text body.
  const schema = operation.text === undefined ? operation.body : TEXT;
  const strict = schema === undefined ? undefined : checker(schema, '');
  const checkBody = schema === undefined || operation.unknown_members === undefined ? strict : lenient(schema);
  const nothing = operation.text === undefined ? {} : '';
  return {
    query: (given) => checkQuery(withTypes(given as Record<string, unknown>, typed)),
    // No body at all counts as an empty one: then the schema says what is missing, if anything is.
    body: (given, ignored) => {
      if (checkBody !== undefined) return checkBody(given === undefined ? nothing : given, ignored);
      if (given !== undefined && !isEmptyObject(given)) throw unexpectedBody(operation);
      return undefined;
    },
  };
}

/**
 * Each schema is compiled when the first request needs it: that took a start a tenth of its time, and most lives of a process need
 * few of them.
 */
const compiled = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validator = Compile(schema) as Validator;
  compiled.set(schema, validator);
  return validator;
}

/** `known`: the parameters of a query, named in the error for an unknown one. */
function checker(
  schema: TObject | TSchema,
  part: '' | 'query',
  known: readonly string[] = [],
): (given: unknown) => unknown {
  let validator: Validator | undefined;
  return (given) => {
    validator ??= validatorOf(schema);
    if (validator.Check(given)) return given;
    const errors = fieldErrors(part, validator.Errors(given), known);
    const detail = errors
      .map(({ pointer, detail: text }) => `${pointer === '' ? 'The body' : pointer} ${text}`)
      .join('; ');
    throw new MeshError('invalid', `${detail}.`, { errors });
  };
}

function isEmptyObject(given: unknown): boolean {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && Object.keys(given).length === 0;
}

/** Looks for members that are not known only once the rest would be refused for them: hardly any request has some. */
function lenient(schema: TSchema): (given: unknown, ignored?: (pointers: readonly string[]) => void) => unknown {
  let validator: Validator | undefined;
  const check = checker(schema, '');
  return (given, ignored) => {
    validator ??= validatorOf(schema);
    if (validator.Check(given)) return given;
    const { value, dropped } = knownMembers(schema, given);
    const checked = check(dropped.length === 0 ? given : value);
    if (dropped.length > 0) ignored?.(dropped);
    return checked;
  };
}

function typeOf(schema: unknown): unknown {
  return typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;
}

interface Typed {
  readonly numbers: readonly string[];
  readonly booleans: readonly string[];
}

/** A query string is all text; what should be a whole number, or true or false, is read as such if it looks like one. */
function withTypes(given: Record<string, unknown>, { numbers, booleans }: Typed): Record<string, unknown> {
  for (const name of numbers) {
    const text = given[name];
    if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) given[name] = Number(text);
  }
  for (const name of booleans) {
    const text = given[name];
    if (text === 'true' || text === 'false') given[name] = text === 'true';
  }
  return given;
}

/** Patterns that need an explanation. */
const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [VISIBLE_TEXT]:
    'must be one line without invisible characters, with single spaces between words and none at the ends',
  [VISIBLE_NOTE]: 'must have no invisible characters',
};
const UNKNOWN = 'is not a known field';

/** The validator's findings as messages: where, and what is expected. One for each place. */
function fieldErrors(
  part: '' | 'query',
  found: readonly TLocalizedValidationError[],
  known: readonly string[],
): FieldError[] {
  const errors = new Map<string, FieldError>();
  const taken = known.length === 0 ? 'none' : known.join(', ');
  for (const error of found) {
    for (const { pointer, detail } of describe(error)) {
      const full = `${part}${pointer}`;
      const isUnknown = part === 'query' && detail === UNKNOWN;
      const text = isUnknown ? `is not a parameter of this operation, which takes ${taken}` : detail;
      if (!errors.has(full)) errors.set(full, { pointer: full, detail: text });
    }
  }
  return [...errors.values()];
}

function describe(error: TLocalizedValidationError): FieldError[] {
  const { instancePath: pointer, message } = error;
  switch (error.keyword) {
    case 'boolean': // the inner half of `additionalProperties`: found first, and there even where that is not reached
      return [{ pointer, detail: UNKNOWN }];
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        pointer: inner(pointer, name),
        detail: UNKNOWN,
      }));
    case 'required':
      return error.params.requiredProperties.map((name) => ({ pointer: inner(pointer, name), detail: 'is required' }));
    case 'enum':
      return [{ pointer, detail: `must be one of ${error.params.allowedValues.map(String).join(', ')}` }];
    case 'pattern':
      return [{ pointer, detail: PATTERN_WORDS[String(error.params.pattern)] ?? `must match ${error.params.pattern}` }];
    case 'format':
      return [
        {
          pointer,
          detail:
            error.params.format === 'date-time' ? 'must be a date and time such as 2027-01-31T00:00:00Z' : message,
        },
      ];
    default:
      return [{ pointer, detail: message }];
  }
}

function inner(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
